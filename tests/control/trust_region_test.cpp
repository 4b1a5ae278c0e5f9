// SPDX-License-Identifier: MIT
// States stay inside the data of their model: the range of its features, and the leash on its root.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/control/feature_range.h"
#include "zoe/control/sources.h"
#include "zoe/store/safetensors.h"

#include "control/neural/leash.h"
#include "support/data.h"
#include "walker.h"

namespace zoe::control {
namespace {

using features::BlockKind;

// Least and largest values of the walker's rows.
FeatureRange range_of(const test::Walker& walker) {
  FeatureRange range;
  const auto measure = [&](BlockKind kind, ColumnRange& out) {
    const auto width = static_cast<std::size_t>(walker.layout.width(kind));
    out.low.assign(width, 1e30F);
    out.high.assign(width, -1e30F);
    std::vector<float> values(walker.layout.size(kind));
    for (int f = 0; f + 1 < walker.clip.num_rows; ++f) {
      const features::Sample sample{0, f, 0};
      features::GatherJob job{.layout = &walker.layout, .clips = {&walker.clip, 1}, .samples = {&sample, 1}};
      (kind == BlockKind::kInput ? job.input : job.output) = values;
      EXPECT_TRUE(job.run());
      for (std::size_t i = 0; i < values.size(); ++i) {
        out.low[i % width] = std::min(out.low[i % width], values[i]);
        out.high[i % width] = std::max(out.high[i % width], values[i]);
      }
    }
  };
  measure(BlockKind::kInput, range.input);
  measure(BlockKind::kOutput, range.output);
  return range;
}

TEST(TrustRegion, LimitsEveryRowAndLeavesTheInside) {
  const ColumnRange range{{-1, 0}, {1, 0.5F}};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> values{-3, 9, 0.25F, 0.125F, 2, -1, nan, 1e30F};
  range.limit(values);
  EXPECT_EQ(std::vector<float>(values.begin(), values.begin() + 6),
            (std::vector<float>{-1, 0.5F, 0.25F, 0.125F, 1, 0}));
  EXPECT_TRUE(std::isnan(values[6])) << "the base class restarts it";
  EXPECT_EQ(values[7], 0.5F);
  ColumnRange{}.limit(values);
  EXPECT_EQ(values[0], -1);
}

TEST(TrustRegion, IsKeptAsText) {
  const FeatureRange range{{{-1, 0.1F, -1e-5F}, {1, 0.3F, 1e-5F}}, {{-2.5F}, {1234.5F}}};
  const FeatureRange read = FeatureRange::parse(range.to_text()).value();
  EXPECT_EQ(read.input.low, range.input.low);
  EXPECT_EQ(read.input.high, range.input.high);
  EXPECT_EQ(read.output.low, range.output.low);
  EXPECT_EQ(read.output.high, range.output.high);
  for (const char* text : {"", "1\n2\n3\n", "1\n2\n3\nx\n", "1\n2\n3\nnan\n", "1 1\n2\n3\n4\n", "2\n1\n3\n4\n"}) {
    EXPECT_FALSE(FeatureRange::parse(text)) << text;
  }
}

TEST(TrustRegion, OfEarlierFilesComesFromTheirNormalisation) {
  const std::vector<float> mean{1, -2}, spread{0.5F, 0.1F}, other{3}, one{1};
  const NamedArray tensors[] = {{"normalisation.x.mean", view_of(mean)},
                                {"normalisation.x.std", view_of(spread)},
                                {"normalisation.y.mean", view_of(other)},
                                {"normalisation.y.std", view_of(one)}};
  const auto file = zoe::test::temporary_dir("trust_region") / "old.safetensors";
  ASSERT_TRUE(write_safetensors(file, tensors));
  const Safetensors old = Safetensors::open(file).value();
  const FeatureRange range = read_feature_range(old).value();
  EXPECT_EQ(range.input.low, (std::vector<float>{-9, -4}));
  EXPECT_EQ(range.output.high, (std::vector<float>{23}));
  ASSERT_TRUE(write_safetensors(file, {}, {{kRangeKey, "0\n1\n2\n3\n"}}));
  const Safetensors now = Safetensors::open(file).value();
  EXPECT_EQ(read_feature_range(now).value().output.low, (std::vector<float>{2}));
}

TEST(TrustRegion, MustFitTheLayout) {
  const test::Walker walker = test::make_walker("mann");
  NeuralParts parts{"mann", test::walker_body(walker), test::random_network(walker, 0), {}, range_of(walker)};
  EXPECT_TRUE(test::make_of(parts));
  parts.range.output.low.pop_back();
  EXPECT_FALSE(test::make_of(parts));
}

// A network that throws everything far out at every step. Without the region it is restarted again and again.
TEST(TrustRegion, AStateFarOutComesBackWithoutARecovery) {
  for (const char* kind : {"mann", "lmp", "deepphase", "cxm"}) {
    SCOPED_TRACE(kind);
    const test::Walker walker = test::make_walker(kind);
    for (const bool limited : {false, true}) {
      const ControllerPtr controller = test::make_of({kind,
                                                      test::walker_body(walker),
                                                      test::random_network(walker, 1000),
                                                      {},
                                                      limited ? range_of(walker) : FeatureRange{}})
                                           .value();
      const auto state = controller->make_state();
      const auto sticks = random_sticks(3, 2);
      float farthest_m = 0;
      for (int i = 0; i < 600; ++i) {
        controller->tick(*state, sticks->next(state->root(), 1.0 / 30), 1.0 / 30);
        for (const Vec3& t : state->pose_in_root().translations) farthest_m = std::max(farthest_m, length(t));
      }
      if (limited) {
        EXPECT_EQ(state->num_recoveries(), 0);
        EXPECT_LT(farthest_m, 3);
      } else {
        EXPECT_GT(state->num_recoveries(), 0) << "else this test shows nothing";
      }
    }
  }
}

constexpr float kStep_s = 1.0F / 30;
constexpr MotionRange kPerson;

TEST(Leash, LetsABodyTakeItsTime) {
  Leash leash;
  // Half a second late at every start and stop of a walk.
  for (int i = 0; i < 900; ++i) {
    const Vec3 led{0, 0, i / 60 % 2 == 0 ? 1.4F : 0}, own{0, 0, (i + 45) / 60 % 2 == 1 ? 1.4F : 0};
    EXPECT_EQ(length(leash.pull(led, own, kPerson, kStep_s)), 0) << i;
  }
}

TEST(Leash, HoldsABodyThatDoesWhatItLikes) {
  for (const Vec3 own : {Vec3{0, 0, 1}, Vec3{-1.5F, 0, 0}, Vec3{0, 0, -3}}) {
    Leash leash;
    Vec3 apart;
    for (int i = 0; i < 30 * 60; ++i) {
      apart += (own + Vec3{0, 0, -0.3F}) * kStep_s;  // What is desired: 0.3 m/s.
      const Vec3 pull = leash.pull({0, 0, 0.3F}, own, kPerson, kStep_s);
      EXPECT_LE(length(pull), 1.001F * kStep_s * std::max(length(own), kPerson.pace_mps));
      apart += pull;
    }
    // It forgets slowly, so a part of the way stays.
    const float without_m = length(own - Vec3{0, 0, 0.3F}) * 60;
    EXPECT_LT(length(apart), 0.75F * without_m);
  }
}

TEST(Leash, DragsNoBodyFasterThanItRuns) {
  Leash leash;
  for (int i = 0; i < 900; ++i) {
    EXPECT_EQ(length(leash.pull({0, 0, 40}, {0, 0, kPerson.run_mps}, kPerson, kStep_s)), 0) << i;
  }
}

}  // namespace
}  // namespace zoe::control
