// SPDX-License-Identifier: MIT
// Presets on real skeletons: the numbers of columns that their papers and programs have.
#include <gtest/gtest.h>

#include "features/real_clips.h"
#include "support/data.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"

namespace zoe::features {
namespace {

TEST(RealLayouts, LocomotionOfGenoIs441And279) {
  ZOE_NEED_DATA(data);
  const auto clip = test::read_clip(data / "biped/style100_npz/WalkingStickLeft_BR.npz");
  ASSERT_TRUE(clip) << clip.error().format();
  const auto layout = Layout::compile(Schema::preset("locomotion").value(), *clip->motion.skeleton, clip->analysis);
  ASSERT_TRUE(layout) << layout.error().format();
  EXPECT_EQ(layout->width(BlockKind::kInput), 441);
  EXPECT_EQ(layout->width(BlockKind::kOutput), 279);
  EXPECT_EQ(layout->steps(BlockKind::kOutput), 16);
  const auto rows = build_frame_rows(*layout, {.motion = &clip->motion});
  ASSERT_TRUE(rows) << rows.error().format();
  for (const float value : *rows) ASSERT_TRUE(std::isfinite(value));
}

TEST(RealLayouts, LocomotionOfTheDogIs339And327) {
  ZOE_NEED_DATA(data);
  for (const char* name : {"D1_008_KAN01_001", "D1_031_KAN01_001", "D1_047_KAN01_001", "D1_047z_KAN01_005", "D1_058_KAN01_001"}) {
    const auto clip = test::read_clip(data / "quadruped/dog_ai4animationpy" / (std::string(name) + ".npz"), 0, true);
    ASSERT_TRUE(clip) << clip.error().format();
    const auto layout = Layout::compile(Schema::preset("locomotion_quadruped").value(), *clip->motion.skeleton, clip->analysis);
    ASSERT_TRUE(layout) << layout.error().format();
    EXPECT_EQ(layout->width(BlockKind::kInput), 339) << name;
    EXPECT_EQ(layout->width(BlockKind::kOutput), 327) << name;
    const auto rows = build_frame_rows(*layout, {.motion = &clip->motion});
    ASSERT_TRUE(rows) << rows.error().format();
    for (const float value : *rows) ASSERT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace zoe::features
