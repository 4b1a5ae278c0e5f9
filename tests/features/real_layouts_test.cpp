// SPDX-License-Identifier: MIT
// Presets on real skeletons: the numbers of columns that their papers and programs have.
#include <gtest/gtest.h>

#include "features/plain_locomotion.h"
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

// Every number of the layout against a plain program that follows the definitions, at moments that are frames.
TEST(RealLayouts, LocomotionAgreesWithThePlainProgram) {
  ZOE_NEED_DATA(data);
  const auto clip = test::read_clip(data / "biped/style100_npz/WalkingStickLeft_BR.npz");
  ASSERT_TRUE(clip) << clip.error().format();
  const Layout layout = Layout::compile(Schema::preset("locomotion").value(), *clip->motion.skeleton, clip->analysis).value();
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &clip->motion}).value();
  const ClipRows view{rows.data(), num_rows(layout, clip->motion)};
  const bench::PlainLocomotion plain(clip->motion, layout.root_joints(), layout.root_options(), layout.row_sources()[0].joints);
  std::vector<Sample> samples;
  std::vector<float> input, output;
  for (int frame = 0; frame < view.num_rows; frame += 13) {
    samples.push_back({0, frame, 0});
    plain.sample(2 * frame, input, output);  // The clip has 60 frames a second, the rows 30.
  }
  std::vector<float> got_input(input.size()), got_output(output.size());
  ASSERT_TRUE((GatherJob{.layout = &layout, .clips = {&view, 1}, .samples = samples, .input = got_input, .output = got_output}.run()));
  for (std::size_t i = 0; i < input.size(); ++i) ASSERT_NEAR(got_input[i], input[i], 1e-3) << i % 441 << " of sample " << i / 441;
  for (std::size_t i = 0; i < output.size(); ++i) ASSERT_NEAR(got_output[i], output[i], 1e-3) << i % 279 << " of step " << i / 279;
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
