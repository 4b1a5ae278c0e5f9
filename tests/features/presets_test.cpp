// SPDX-License-Identifier: MIT
// Presets: widths as published, columns of a walk by hand, and poses back from every output.
#include <cmath>

#include <gtest/gtest.h>

#include "features/gathered.h"
#include "features/round_trip.h"
#include "features/stepping_figure.h"
#include "support/allocation.h"

namespace zoe::features {
namespace {

// Four feet where a preset wants them.
SkeletonAnalysis analysis_for(std::string_view preset) {
  SkeletonAnalysis a = test::figure_analysis();
  if (preset == "mann") a.feet = {test::kLeftFoot, test::kRightFoot, test::kLeftHand, test::kRightHand};
  return a;
}

Layout preset_layout(const char* name, int num_joints, double fps = 0) {
  Schema schema = Schema::preset(name).value();
  if (fps > 0) {
    schema.fps = fps;
    SampleTimes& steps = schema.block(BlockKind::kOutput).steps;
    steps.end_s = (steps.count - 1) / fps;  // Steps of one row.
  }
  auto layout = Layout::compile(schema, *test::figure_skeleton(num_joints), analysis_for(name));
  EXPECT_TRUE(layout) << name << ": " << layout.error().format();
  return std::move(layout.value());
}

TEST(Presets, WidthsAsPublished) {
  struct Case {
    const char* name;
    int joints, input, output, condition, input_steps, output_steps;
  };
  for (const Case& c : {Case{"locomotion", 23, 441, 279, 0, 1, 16},
                        Case{"locomotion_quadruped", 27, 339, 327, 0, 1, 16}, Case{"pfnn", 31, 342, 311, 1, 1, 1},
                        Case{"mann", 27, 480, 363, 19, 1, 1}, Case{"nsm", 23, 5307 - 650, 618, 650, 1, 1},
                        Case{"lmm", 22, 27, 338, 0, 1, 1}, Case{"pae", 26, 78, 0, 0, 121, 1},
                        Case{"anytop", 12, 0, 12 * 13, 0, 1, 40}, Case{"anytop", 31, 0, 31 * 13, 0, 1, 40}}) {
    const Layout layout = preset_layout(c.name, c.joints);
    EXPECT_EQ(layout.width(BlockKind::kInput), c.input) << c.name;
    EXPECT_EQ(layout.width(BlockKind::kOutput), c.output) << c.name;
    EXPECT_EQ(layout.width(BlockKind::kCondition), c.condition) << c.name;
    EXPECT_EQ(layout.steps(BlockKind::kInput), c.input_steps) << c.name;
    EXPECT_EQ(layout.steps(BlockKind::kOutput), c.output_steps) << c.name;
    const auto again = Layout::from_toml(layout.to_toml(), *test::figure_skeleton(c.joints));
    ASSERT_TRUE(again) << c.name << ": " << again.error().format();
    EXPECT_EQ(again->to_toml(), layout.to_toml()) << c.name;
  }
}

TEST(Presets, GatheringNeverAllocates) {
  const Motion motion = test::walking({}, 181, 23);
  for (const std::string& name : preset_names()) {
    const Layout layout = preset_layout(name.c_str(), 23);
    const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
    const ClipRows clip{rows.data(), num_rows(layout, motion)};
    std::vector<float> blocks[kNumBlocks];
    for (std::size_t k = 0; k < kNumBlocks; ++k) blocks[k].resize(2 * layout.size(static_cast<BlockKind>(k)));
    const Sample samples[] = {{0, 30, 0}, {0, 31, 0.5F}};
    const GatherJob job{.layout = &layout,
                        .clips = {&clip, 1},
                        .samples = samples,
                        .input = blocks[0],
                        .output = blocks[1],
                        .condition = blocks[2]};
    const test::AllocationMeter meter;
    EXPECT_TRUE(job.run()) << name;
    EXPECT_EQ(meter.allocations(), 0U) << name;
  }
}

TEST(Presets, ColumnsHaveNames) {
  for (const std::string& name : preset_names()) {
    const Layout layout = preset_layout(name.c_str(), 23);
    for (const BlockKind kind : {BlockKind::kInput, BlockKind::kOutput, BlockKind::kCondition})
      EXPECT_EQ(column_names(layout, kind).size(), static_cast<std::size_t>(layout.width(kind))) << name;
  }
  const std::vector<std::string> names = column_names(preset_layout("anytop", 12), BlockKind::kOutput);
  EXPECT_EQ(names[1], "position Hips y");
  EXPECT_EQ(names[10], "root.delta turn");
  EXPECT_EQ(names[12], "contact Hips");
  EXPECT_EQ(names[13], "position LeftUpLeg x");
  EXPECT_EQ(names[25], "contact LeftUpLeg");
  EXPECT_EQ(column_names(preset_layout("pfnn", 31), BlockKind::kInput)[23], "root position z 0.833s");
}

// NSM's parts, one by one.
TEST(Presets, NsmIsComposedAsItsPaper) {
  const Layout layout = preset_layout("nsm", 23);
  const auto width = [&](BlockKind kind, int i) { return layout.columns(kind)[static_cast<std::size_t>(i)].width; };
  EXPECT_EQ(width(BlockKind::kInput, 0) + width(BlockKind::kInput, 1), 419) << "pose and trajectory";
  EXPECT_EQ(width(BlockKind::kInput, 2), 156) << "goal";
  EXPECT_EQ(width(BlockKind::kInput, 3), 2034);
  EXPECT_EQ(width(BlockKind::kInput, 4), 2048);
  const int outputs[] = {276, 69, 77, 28, 156, 5, 7};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(width(BlockKind::kOutput, i), outputs[i]);
}

// 2.5 s into a walk of 1.2 m/s; the left foot stands from 2.4 to 2.7 s, the right one swings.
TEST(Presets, PfnnOfAWalk) {
  const test::Walk walk;
  const Motion motion = test::walking(walk, 361);
  const auto g = test::gather(preset_layout("pfnn", test::kFigureJoints), {.motion = &motion}, 150);
  for (int i = 0; i < 12; ++i) {
    const double t = -1 + i / 6.0;
    EXPECT_NEAR(g.at("root.position", 2 * i), 0, 1e-4);
    EXPECT_NEAR(g.at("root.position", 2 * i + 1), walk.speed_m_s * t, 1e-3)
        << "smoothing leaves a steady walk as it is";
    EXPECT_NEAR(g.at("root.direction", 2 * i + 1), 1, 1e-5);
    for (int k = 0; k < 6; ++k) EXPECT_EQ(g.at("root.style", 6 * i + k), 0);
  }
  // The pose that goes in is a frame old, in the root of its own moment.
  const double before = 149 / 60.0;
  EXPECT_NEAR(g.at("joint.position", 3 * test::kLeftFoot + 2), walk.foot_z(before, true) - walk.z(before), 1e-3);
  EXPECT_NEAR(g.at("joint.velocity", 3 * test::kLeftFoot + 2), 0, 1e-3);
  EXPECT_NEAR(g.at("joint.velocity", 3 * test::kRightFoot + 2), 2 * walk.speed_m_s, 1e-3);
  const auto out = [&](const char* name, int i) { return g.at(name, i, BlockKind::kOutput); };
  EXPECT_NEAR(out("joint.position", 3 * test::kRightFoot + 2), walk.foot_z(2.5, false) - walk.z(2.5), 1e-3);
  EXPECT_NEAR(out("root.delta", 0), 0, 1e-4);
  EXPECT_NEAR(out("root.delta", 1), 0, 1e-4);
  EXPECT_NEAR(out("root.delta", 2), walk.speed_m_s, 1e-3);
  EXPECT_NEAR(out("phase.delta", 0), 1 / 36.0, 2e-3);
  const float contacts[4] = {1, 0, 1, 0};  // Feet left and right, toes left and right.
  for (int i = 0; i < 4; ++i) EXPECT_EQ(out("contact", i), contacts[i]) << i;
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(out("root.position", 2 * i + 1), walk.speed_m_s * i / 6, 1e-3) << "from the next frame on";
  EXPECT_LT(std::abs(std::remainder(g.at("phase.global", 0, BlockKind::kCondition) - (2.5 - 0.15) / 0.6, 1.0)), 0.03);
}

TEST(Presets, MannGatesByFeetAndSpeed) {
  const test::Walk walk;
  const Motion motion = test::walking(walk, 361);
  const auto g = test::gather(preset_layout("mann", test::kFigureJoints), {.motion = &motion}, 150);
  const auto gate = [&](const char* name, int i) { return g.at(name, i, BlockKind::kCondition); };
  EXPECT_NEAR(gate("joint.velocity", 2), 0, 1e-3);
  EXPECT_NEAR(gate("joint.velocity", 5), 2 * walk.speed_m_s, 1e-3);
  EXPECT_NEAR(gate("joint.velocity", 7), 0.3, 1e-3) << "hands rise";
  EXPECT_NEAR(gate("root", 0), walk.speed_m_s, 1e-3);
  // Time by time: place 2, direction 2, velocity 2, speed 1, styles 6.
  EXPECT_NEAR(g.at("root", 13 * 11 + 1), walk.speed_m_s * 5 / 6, 1e-3);
  EXPECT_NEAR(g.at("root", 13 * 11 + 3), 1, 1e-5);
  EXPECT_NEAR(g.at("root", 13 * 11 + 6), walk.speed_m_s, 1e-3);
  // Joint by joint: place, forward, up, velocity.
  EXPECT_NEAR(g.at("joint", 12 * test::kHead + 1), 1.6, 1e-5);
  EXPECT_NEAR(g.at("joint", 12 * test::kHead + 5), 1, 1e-5);
  EXPECT_NEAR(g.at("joint", 12 * test::kHead + 7), 1, 1e-5);
  EXPECT_NEAR(g.at("joint", 12 * test::kHead + 11), walk.speed_m_s, 1e-3);
}

TEST(Presets, LmmMatchesFeetHipsAndTheWayAhead) {
  const test::Walk walk;
  const Motion motion = test::walking(walk, 361);
  const auto g = test::gather(preset_layout("lmm", test::kFigureJoints), {.motion = &motion}, 150);
  EXPECT_NEAR(g.at("joint.position", 2), walk.foot_z(2.5, true) - walk.z(2.5), 1e-3);
  EXPECT_NEAR(g.at("joint.position", 4), 0.1, 1e-5);
  EXPECT_NEAR(g.at("joint.velocity joints=feet", 5), 2 * walk.speed_m_s, 1e-3);
  EXPECT_NEAR(g.at("joint.velocity joints=hips", 2), walk.speed_m_s, 1e-3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(g.at("root.position", 2 * i + 1), walk.speed_m_s * (i + 1) / 3, 1e-3);
    EXPECT_NEAR(g.at("root.direction", 2 * i + 1), 1, 1e-5);
  }
  EXPECT_NEAR(g.at("root.own_velocity", 2, BlockKind::kOutput), walk.speed_m_s, 1e-3);
  EXPECT_EQ(g.at("contact", 0, BlockKind::kOutput), 1);
  EXPECT_EQ(g.at("contact", 1, BlockKind::kOutput), 0);
}

TEST(Presets, PaeSeesTwoSecondsOfVelocities) {
  const test::Walk walk;
  const Motion motion = test::walking(walk, 361);
  const auto g = test::gather(preset_layout("pae", test::kFigureJoints), {.motion = &motion}, 150);
  ASSERT_EQ(g.blocks[0].size(), 121U * 3 * test::kFigureJoints);
  for (int i = 0; i < 121; ++i) {
    const double t = (90 + i) / 60.0;
    const float foot = g.blocks[0][static_cast<std::size_t>(3 * (i * test::kFigureJoints + test::kLeftFoot) + 2)];
    EXPECT_NEAR(foot, (walk.foot_z(t, true) - walk.foot_z(t - 1 / 60.0, true)) * 60, 2e-3) << i;
  }
}

// Thirteen numbers a joint: of the hips (0, height, 0), two axes, the root's step, contact; of the
// others where they are.
TEST(Presets, AnytopOfAWalk) {
  const test::Walk walk;
  Motion motion = test::walking(walk, 361);
  test::place(motion, 0.8F, {1, 0, 2});
  const auto g = test::gather(preset_layout("anytop", test::kFigureJoints, 60), {.motion = &motion}, 150);
  const auto token = [&](int joint, int i) { return g.blocks[1][static_cast<std::size_t>(13 * joint + i)]; };
  const double hips[13] = {0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, walk.speed_m_s, 0};
  for (int i = 0; i < 13; ++i) EXPECT_NEAR(token(test::kHips, i), hips[i], 3e-4) << i;
  const double left[13] = {0.1, 0.1, walk.foot_z(2.5, true) - walk.z(2.5), 1, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const double right[13] = {
      -0.1, 0.1, walk.foot_z(2.5, false) - walk.z(2.5), 1, 0, 0, 0, 1, 0, 0, 0, 2 * walk.speed_m_s, 0};
  for (int i = 0; i < 13; ++i) {
    EXPECT_NEAR(token(test::kLeftFoot, i), left[i], 5e-4) << i;
    EXPECT_NEAR(token(test::kRightFoot, i), right[i], 5e-4) << i;
  }
}

// Circles, bends every joint and stretches every bone.
Motion wriggling(int num_frames) {
  Motion motion = test::walking({}, num_frames);
  for (int f = 0; f < num_frames; ++f) {
    const float t = static_cast<float>(f) / 60;
    for (int j = 0; j < motion.num_joints(); ++j) {
      const auto i = static_cast<std::size_t>(f * motion.num_joints() + j);
      const float k = static_cast<float>(j + 1);
      const Vec3 bend{0.5F * std::sin(1.3F * k + 2 * t), 0.4F * std::sin(k + 3 * t), 0.6F * std::cos(2 * k + t)};
      if (j == test::kHips)
        motion.translations[i] = {4 * std::sin(t), 1 + 0.1F * std::sin(5 * t), 4 * std::cos(t)};
      else
        motion.translations[i] += Vec3{0.02F * std::sin(k + t), 0.03F * std::cos(2 * t), 0.01F * k};
      motion.rotations[i] = j == test::kHips
                                ? from_axis_angle(Vec3{0, 1, 0}, 1.5F * t) * from_rotation_vector(bend * 0.5F)
                                : from_rotation_vector(bend);
    }
  }
  return motion;
}

TEST(Presets, EveryOutputComesBackAsTheClip) {
  const Motion motion = wriggling(601);
  for (const char* name : {"locomotion", "locomotion_quadruped", "pfnn", "mann", "nsm", "lmm", "anytop"}) {
    const auto worst = test::whole_round_trip(preset_layout(name, test::kFigureJoints, 60), motion);
    EXPECT_EQ(worst.joints, test::kFigureJoints) << name;
    EXPECT_LT(worst.position_m, 1e-5) << name;
    EXPECT_LT(worst.rotation_rad, 1e-4) << name;
  }
}

}  // namespace
}  // namespace zoe::features
