// SPDX-License-Identifier: MIT
// Labelled clips for styles, and measures of their motions.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/author/evaluate_style.h"
#include "zoe/core/index.h"

#include "support/data.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

TEST(StyleLabels, AreTheLastWordsOfAName) {
  const ClipLabels bandai = labels_of_name("dataset-2_walk-turn-left_elderly_001", "any_folder");
  EXPECT_EQ(bandai.content, "walk-turn-left");
  EXPECT_EQ(bandai.style, "elderly");
  EXPECT_EQ(labels_of_name("walk_proud_7", "x").style, "proud");
  // Without such a name the folder is the style.
  EXPECT_EQ(labels_of_name("16_15_01", "sad").style, "sad");
  EXPECT_EQ(labels_of_name("take", "sad").style, "sad");
  EXPECT_EQ(labels_of_name("walk_001", "sad").content, "any");
}

TEST(StyleClips, HoldOutTheLastTakesAndShareOneReferencePose) {
  ZOE_NEED_DATA(data);
  const fs::path folder = zoe::test::temporary_dir("style_clips");
  for (const char* style : {"normal", "elderly"})
    for (int take = 1; take <= 4; ++take) {
      const std::string name =
          std::string("dataset-2_raise-up-right-hand_") + style + "_00" + std::to_string(take) + ".bvh";
      fs::copy_file(data / "biped/bandai_style" / name, folder / name);
    }
  const LabelledClips all = read_style_clips({folder}, {.held_out_takes = 1}, {}).value();
  ASSERT_EQ(all.clips.size(), 8U);
  EXPECT_EQ(all.styles, (std::vector<std::string>{"elderly", "normal"}));
  EXPECT_EQ(all.contents, std::vector<std::string>{"raise-up-right-hand"});
  EXPECT_EQ(all.poses.size(), 1U);
  for (const LabelledClip& clip : all.clips) {
    EXPECT_EQ(clip.held_out, clip.name.ends_with("_004")) << clip.name;
    EXPECT_EQ(all.styles[idx(clip.style)], clip.name.find("elderly") != std::string::npos ? "elderly" : "normal");
    // The T-pose of one skeleton is one for all takes.
    for (std::size_t role = 0; role < style::kNumRoles; ++role)
      EXPECT_LT(angle_between(clip.body.t_pose[role], all.clips[0].body.t_pose[role]), 1e-3F) << clip.name;
  }
  const LabelledClips without = read_style_clips({folder}, {.held_out_takes = 1, .without = "elderly"}, {}).value();
  for (const LabelledClip& clip : without.clips)
    if (without.styles[idx(clip.style)] == "elderly") {
      EXPECT_TRUE(clip.held_out);
    }

  // Procedural styles of the normal clips, held out with them.
  const LabelledClips ruled = read_style_clips({folder}, {.held_out_takes = 1, .by_rule = 2}, {}).value();
  ASSERT_EQ(ruled.clips.size(), 16U);
  EXPECT_EQ(ruled.styles.size(), 10U);
  EXPECT_TRUE(std::ranges::is_sorted(ruled.styles));
  for (std::size_t i = 0; i < ruled.clips.size(); ++i) {
    const LabelledClip& clip = ruled.clips[i];
    EXPECT_EQ(clip.by_rule, i >= 8);
    EXPECT_NE(clip.name.find(ruled.styles[idx(clip.style)]), std::string::npos) << clip.name;
    EXPECT_EQ(clip.held_out, clip.name.find("_004") != std::string::npos) << clip.name;
  }

  const fs::path table = folder / "labels.tsv";
  std::ofstream(table) << "# comment\ndataset-2_raise-up-right-hand_normal_001\tlift\tcalm\r\n";
  const LabelledClips named = read_style_clips({folder}, {.labels = table}, {}).value();
  ASSERT_EQ(named.clips.size(), 1U);
  EXPECT_EQ(named.contents[0], "lift");
  EXPECT_EQ(named.styles[0], "calm");
  std::ofstream(table) << "no tabs here\n";
  const auto wrong = read_style_clips({folder}, {.labels = table}, {});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where.line, 1);
  EXPECT_FALSE(read_style_clips({folder / "absent"}, {}, {}));
}

// A clip whose feet are pushed along slides more, and one that shakes has more jerk.
TEST(StyleMeasures, SeeSlidingAndShaking) {
  ZOE_NEED_DATA(data);
  const fs::path folder = zoe::test::temporary_dir("style_measures");
  fs::copy_file(data / "biped/bandai_style/dataset-2_wave-left-hand_normal_001.bvh", folder / "wave_normal_1.bvh");
  LabelledClip clip = std::move(read_style_clips({folder}, {}, {}).value().clips[0]);
  const double unit = clip.analysis.metres_per_unit, standing = skate_fraction(clip.motion, clip.body, unit);
  EXPECT_LT(standing, 0.02);
  const std::vector<float> rows = style::every(clip.clip);
  const double calm = mean_jerk(rows, clip.body, unit);
  EXPECT_GT(calm, 1);
  Motion pushed = clip.motion;
  const std::size_t joints = idx(pushed.num_joints());
  for (std::size_t f = 0; f < idx(pushed.num_frames); ++f)
    pushed.translations[f * joints].x += static_cast<float>(0.02 * static_cast<double>(f) / unit);  // 0.6 m/s.
  EXPECT_GT(skate_fraction(pushed, clip.body, unit), 0.5);
  std::vector<float> shaken = rows;
  for (std::size_t f = 0; f < shaken.size() / style::kNumColumns; f += 2)
    shaken[f * style::kNumColumns + 6 * style::kSpine + 2] += 0.05F;
  EXPECT_GT(mean_jerk(shaken, clip.body, unit), 2 * calm);
}

}  // namespace
}  // namespace zoe::author
