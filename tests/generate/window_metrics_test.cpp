// SPDX-License-Identifier: MIT
// Coverage and diversity on clips of which the values are known, and against plain loops.
#include "zoe/generate/window_metrics.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe::generate {
namespace {

// A joint that moves along x: 0, 1, 2, … times a speed, from an offset.
PoseFrames line(int frames, float speed, float offset) {
  PoseFrames clip{.width = 3};
  for (int f = 0; f < frames; ++f)
    clip.values.insert(clip.values.end(), {offset + speed * static_cast<float>(f), 0, 0});
  return clip;
}

TEST(WindowMetrics, OfClipsThemselves) {
  const std::vector<PoseFrames> clips{line(40, 0.01F, 0), line(50, 0, 1)};
  const WindowMetrics m = window_metrics(clips, clips).value();
  EXPECT_EQ(m.coverage[0], 1);
  EXPECT_EQ(m.coverage[1], 1);
  EXPECT_NEAR(m.local_diversity, 0, 1e-9);
  EXPECT_NEAR(m.global_diversity, 0, 1e-9);
  EXPECT_GT(m.inter_diversity, 0.7);
}

TEST(WindowMetrics, OfADisplacedClip) {
  const std::vector<PoseFrames> real{line(60, 0, 0)}, near{line(60, 0, 0.2F)}, far{line(60, 0, 0.5F)};
  const WindowMetrics a = window_metrics(near, real).value(), b = window_metrics(far, real).value();
  EXPECT_EQ(a.coverage[0], 1);  // 0.2 is below 0.349, above 0.1.
  EXPECT_EQ(a.coverage[1], 0);
  EXPECT_EQ(b.coverage[0], 0);
  EXPECT_NEAR(a.local_diversity, 0.2, 1e-6);
  EXPECT_NEAR(b.global_diversity, 0.5, 1e-6);
  EXPECT_EQ(a.intra_difference, 0);
  EXPECT_EQ(nearest_clip(near[0], std::vector<PoseFrames>{far[0], real[0]}), 1);
}

// Random clips against the definition, loop by loop.
TEST(WindowMetrics, AreTheirDefinition) {
  Random random(3);
  const auto noise = [&](int frames) {
    PoseFrames clip{.width = 6};
    for (int i = 0; i < 6 * frames; ++i) clip.values.push_back(random.uniform(-1, 1));
    return clip;
  };
  const std::vector<PoseFrames> made{noise(37), noise(33)}, real{noise(41), noise(36)};
  const WindowMetricOptions options{.window = 5, .tiling = 8};
  const WindowMetrics m = window_metrics(made, real, options).value();
  PoseFrames joined = real[0];
  joined.values.insert(joined.values.end(), real[1].values.begin(), real[1].values.end());
  double local = 0;
  for (const PoseFrames& clip : made) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < clip.num_frames() - 5; ++i, ++count) {
      double best = 1e9;
      for (int k = 0; k < joined.num_frames() - 5; ++k) {
        double cost = 0;
        for (int f = 0; f < 5; ++f) cost += pose_distance(clip.frame(i + f), joined.frame(k + f)) / 5;
        best = std::min(best, cost);
      }
      sum += best;
    }
    local += sum / count / 2;
  }
  EXPECT_NEAR(m.local_diversity, local, 1e-9);
  double inter = 0;
  for (int f = 0; f < 33; ++f) inter += pose_distance(made[0].frame(f), made[1].frame(f)) / 33;
  EXPECT_NEAR(m.inter_diversity, inter, 1e-9);
  // The tiling of the whole clip by one piece bounds it from above; windows of single frames from below.
  EXPECT_GT(m.global_diversity, m.local_diversity * 0.5);
  EXPECT_LT(m.global_diversity, 2);
}

TEST(WindowMetrics, SaysWhatIsWrong) {
  EXPECT_FALSE(window_metrics({}, {}));
  const std::vector<PoseFrames> brief{line(10, 0, 0)}, one{line(40, 0, 0)};
  EXPECT_FALSE(window_metrics(brief, one));
  PoseFrames other{.width = 6, .values = std::vector<float>(240)};
  EXPECT_FALSE(window_metrics(one, std::vector<PoseFrames>{other}));
}

}  // namespace
}  // namespace zoe::generate
