// SPDX-License-Identifier: MIT
// Presets on real skeletons: the numbers of columns that their papers and programs have.
#include <cstdio>

#include <gtest/gtest.h>

#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"

#include "features/plain_locomotion.h"
#include "features/real_clips.h"
#include "features/round_trip.h"
#include "support/data.h"

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
  const Layout layout =
      Layout::compile(Schema::preset("locomotion").value(), *clip->motion.skeleton, clip->analysis).value();
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &clip->motion}).value();
  const ClipRows view{rows.data(), num_rows(layout, clip->motion)};
  const bench::PlainLocomotion plain(clip->motion, layout.root_joints(), layout.root_options(),
                                     layout.row_sources()[0].joints);
  std::vector<Sample> samples;
  std::vector<float> input, output;
  for (int frame = 0; frame < view.num_rows; frame += 13) {
    samples.push_back({0, frame, 0});
    plain.sample(2 * frame, input, output);  // The clip has 60 frames a second, the rows 30.
  }
  std::vector<float> got_input(input.size()), got_output(output.size());
  ASSERT_TRUE(
      (GatherJob{.layout = &layout, .clips = {&view, 1}, .samples = samples, .input = got_input, .output = got_output}
           .run()));
  for (std::size_t i = 0; i < input.size(); ++i)
    ASSERT_NEAR(got_input[i], input[i], 1e-3) << i % 441 << " of sample " << i / 441;
  for (std::size_t i = 0; i < output.size(); ++i)
    ASSERT_NEAR(got_output[i], output[i], 1e-3) << i % 279 << " of step " << i / 279;
}

TEST(RealLayouts, LocomotionOfTheDogIs339And327) {
  ZOE_NEED_DATA(data);
  for (const char* name :
       {"D1_008_KAN01_001", "D1_031_KAN01_001", "D1_047_KAN01_001", "D1_047z_KAN01_005", "D1_058_KAN01_001"}) {
    const auto clip = test::read_clip(data / "quadruped/dog_ai4animationpy" / (std::string(name) + ".npz"), 0, true);
    ASSERT_TRUE(clip) << clip.error().format();
    const auto layout =
        Layout::compile(Schema::preset("locomotion_quadruped").value(), *clip->motion.skeleton, clip->analysis);
    ASSERT_TRUE(layout) << layout.error().format();
    EXPECT_EQ(layout->width(BlockKind::kInput), 339) << name;
    EXPECT_EQ(layout->width(BlockKind::kOutput), 327) << name;
    const auto rows = build_frame_rows(*layout, {.motion = &clip->motion});
    ASSERT_TRUE(rows) << rows.error().format();
    for (const float value : *rows) ASSERT_TRUE(std::isfinite(value));
  }
}

// The bodies that the papers' numbers are about, or ones of as many joints.
TEST(RealLayouts, PresetsHaveTheirPublishedWidthsAndComeBack) {
  ZOE_NEED_DATA(data);
  struct Case {
    const char* preset;
    const char* file;
    bool with_ends;
    int input, output, condition;
  };
  for (const Case& c : {Case{"pfnn", "biped/cmu/16_15.bvh", false, 342, 311, 1},
                        Case{"mann", "quadruped/dog_ai4animationpy/D1_008_KAN01_001.npz", true, 480, 363, 19},
                        Case{"nsm", "biped/style100_npz/WalkingStickLeft_BR.npz", false, 5307 - 650, 618, 650},
                        Case{"lmm", "biped/lafan1/push1_subject2.bvh", false, 27, 338, 0},
                        Case{"pae", "biped/lafan1/push1_subject2.bvh", false, 66, 0, 0}}) {
    const auto clip = test::read_clip(data / c.file, 0, c.with_ends);
    ASSERT_TRUE(clip) << clip.error().format();
    Schema schema = Schema::preset(c.preset).value();
    if (schema.name == "lmm") schema.fps = clip->motion.fps;  // Velocities are over frames of the clip.
    const auto layout = Layout::compile(schema, *clip->motion.skeleton, clip->analysis);
    ASSERT_TRUE(layout) << c.preset << ": " << layout.error().format();
    EXPECT_EQ(layout->width(BlockKind::kInput), c.input) << c.preset;
    EXPECT_EQ(layout->width(BlockKind::kOutput), c.output) << c.preset;
    EXPECT_EQ(layout->width(BlockKind::kCondition), c.condition) << c.preset;
    if (c.output == 0) continue;
    const auto worst = test::whole_round_trip(*layout, clip->motion);
    std::printf("%-5s %-56s %2d joints %4d frames: %.1e m, %.1e rad\n", c.preset, c.file, worst.joints, worst.frames,
                worst.position_m, worst.rotation_rad);
    EXPECT_LT(worst.position_m, 1e-5) << c.preset;
    EXPECT_LT(worst.rotation_rad, 1e-4) << c.preset;
  }
}

}  // namespace
}  // namespace zoe::features
