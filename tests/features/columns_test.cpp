// SPDX-License-Identifier: MIT
// Names of columns for every group; a desired trajectory, signals ahead and decoded numbers at their columns.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/features/decode.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/features/runtime_history.h"

#include "features/turning_walker.h"

namespace zoe::features {
namespace {

Layout layout_of(const std::string& block, const std::string& channels, const std::string& more = "") {
  const std::string text =
      "[root]\nhalf_window_s = 0.0\n" + more + "\n[" + block + "]\nchannels = [" + channels + "]\n";
  const auto schema = Schema::parse(text);
  EXPECT_TRUE(schema) << schema.error().message;
  auto layout = Layout::compile(*schema, *test::walker_skeleton(), test::walker_analysis());
  EXPECT_TRUE(layout) << layout.error().message;
  return std::move(layout).value();
}

TEST(ColumnNames, EveryGroupNamesItsColumns) {
  const Layout layout = layout_of("input",
                                  R"("joint parts=position,contact joints=LeftFoot", "root parts=position,style,height",
                                     "root.own_velocity", "goal parts=position,action", "root.delta", "contact",
                                     "phase.global", "phase.delta", "style", "action", "terrain",
                                     "signal name=wind width=2", "root.speed times=0:0.5:2")",
                                  "[contacts]\njoints = [\"feet\"]\n[labels]\nstyles = [\"calm\", \"old\"]\n"
                                  "actions = [\"wave\"]\n[terrain]\nlateral_m = [-0.25, 0.0]\n");
  const std::vector<std::string> expected{"position LeftFoot x",
                                          "position LeftFoot y",
                                          "position LeftFoot z",
                                          "contact LeftFoot",
                                          "root position x",
                                          "root position z",
                                          "root style calm",
                                          "root style old",
                                          "root height",
                                          "root own_velocity x",
                                          "root own_velocity y",
                                          "root own_velocity z",
                                          "root own_velocity turn x",
                                          "root own_velocity turn y",
                                          "root own_velocity turn z",
                                          "goal position x",
                                          "goal position y",
                                          "goal position z",
                                          "goal action wave",
                                          "root.delta x",
                                          "root.delta turn",
                                          "root.delta z",
                                          "contact LeftFoot",
                                          "contact RightFoot",
                                          "phase.global",
                                          "phase.delta",
                                          "style calm",
                                          "style old",
                                          "action wave",
                                          "terrain -0.25m",
                                          "terrain 0m",
                                          "wind 0",
                                          "wind 1",
                                          "root speed 0s",
                                          "root speed 0.5s"};
  EXPECT_EQ(column_names(layout, BlockKind::kInput), expected);
  EXPECT_EQ(static_cast<int>(expected.size()), layout.width(BlockKind::kInput));
}

TEST(LayoutText, ComesBackAndTellsASchemaFromALayout) {
  const Layout layout = layout_of("input", "\"joint.position\", \"root.position times=0:1:3\"");
  const std::string text = layout.to_toml();
  const Layout back = Layout::from_toml(text, *test::walker_skeleton()).value();
  EXPECT_EQ(back.to_toml(), text);
  EXPECT_EQ(back.frame_width(), layout.frame_width());
  const auto schema = Layout::from_toml("[input]\nchannels = [\"joint.position\"]\n", *test::walker_skeleton());
  ASSERT_FALSE(schema);
  EXPECT_NE(schema.error().message.find("this is a schema, not a layout"), std::string::npos);
  const auto changed = [&](std::string from, const std::string& to) {
    std::string other = text;
    const auto at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    other.replace(at, from.size(), to);
    const auto read = Layout::from_toml(other, *test::walker_skeleton());
    return read ? std::string() : read.error().message;
  };
  EXPECT_NE(changed("frame_width = ", "frame_width = 1").find("other widths"), std::string::npos);
  EXPECT_NE(changed("LeftFoot", "LeftFeet").find("is 'LeftFeet' in the layout"), std::string::npos);
  const SkeletonPtr one = Skeleton::create({{"Hips", kNoJoint, {}}}).value();
  EXPECT_NE(Layout::from_toml(text, *one).error().message.find("for 6 joints, the skeleton has 1"), std::string::npos);
}

// Future columns come from the series, seen from the root; the past and other groups stay as they are.
TEST(EncodeTrajectory, WritesTheFutureOfEveryStep) {
  const Layout layout = layout_of("input",
                                  "\"joint.position joints=Head\", \"root "
                                  "parts=position,direction,velocity,speed,turn_speed,height times=-0.5:0.5:3\"");
  ControlSeries control = ControlSeries::standing({0, 1, 11}, {});
  for (std::size_t i = 0; i < 11; ++i) {
    const auto t = 0.1F * static_cast<float>(i);
    control.roots[i] = {{2 + t, 0.5F, 1 + 2 * t}, 0.3F * t};
    control.velocities[i] = {1, 0, 2};
  }
  const PlanarRoot root{{2, 0.25F, 1}, 0.7F};
  std::vector<float> out(layout.size(BlockKind::kInput), -7.0F);
  encode_trajectory(layout, BlockKind::kInput, root, control, out);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(out[i], -7) << "the pose";
  const auto column = static_cast<std::size_t>(layout.find_column(BlockKind::kInput, "root").value().begin);
  for (int time = 0; time < 3; ++time) {
    const float* v = out.data() + column + static_cast<std::size_t>(9 * time);
    if (time == 0) {
      for (int k = 0; k < 9; ++k) EXPECT_EQ(v[k], -7) << "the past";
      continue;
    }
    const float t = 0.5F * static_cast<float>(time - 1), c = std::cos(0.7F), s = std::sin(0.7F);
    // Into a root that faces 0.7 rad from +Z towards +X.
    EXPECT_NEAR(v[0], c * t - s * 2 * t, 1e-5F) << time;
    EXPECT_NEAR(v[1], s * t + c * 2 * t, 1e-5F) << time;
    EXPECT_NEAR(v[2], std::sin(0.3F * t - 0.7F), 1e-5F) << time;
    EXPECT_NEAR(v[3], std::cos(0.3F * t - 0.7F), 1e-5F) << time;
    EXPECT_NEAR(v[4], c * 1 - s * 2, 1e-5F) << time;
    EXPECT_NEAR(v[5], s * 1 + c * 2, 1e-5F) << time;
    EXPECT_NEAR(v[6], std::sqrt(5.0F), 1e-5F) << time;
    EXPECT_NEAR(v[7], 0.3F, 1e-3F) << time;
    EXPECT_NEAR(v[8], 0.25F, 1e-5F) << time;
  }
}

// Values of a signal ahead lie between those that are given, and are held before the first and after the last.
TEST(RuntimeSignals, AreInterpolatedAhead) {
  const Layout layout = layout_of("input", "\"signal name=wind width=2 times=0:1:5\", \"joint.position joints=Head\"");
  RuntimeHistory history(layout, test::walker_skeleton());
  const Pose pose = make_pose(*test::walker_skeleton());
  history.push(pose.view(), {}, 1 / 30.0);
  const std::vector<float> values{0, 10, 4, 20, 8, 40};
  const SignalAhead ahead[] = {{.name = "wind", .times = {0.25, 0.75, 3}, .values = values}};
  std::vector<float> out(layout.size(BlockKind::kInput)), window(RuntimeHistory::window_size(layout));
  history.encode(BlockKind::kInput, nullptr, out, window, ahead);
  const auto column = static_cast<std::size_t>(layout.find_column(BlockKind::kInput, "wind").value().begin);
  const float expected[5][2] = {{0, 10}, {0, 10}, {4, 20}, {8, 40}, {8, 40}};  // At 0, 0.25, 0.5, 0.75 and 1 s.
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(out[column + 2 * i], expected[i][0], 0.3F) << i;  // Rows are a thirtieth of a second apart.
    EXPECT_NEAR(out[column + 2 * i + 1], expected[i][1], 1.5F) << i;
  }
  const SignalAhead other[] = {{.name = "rain", .times = {0, 0, 1}, .values = std::span(values).first(2)}};
  history.encode(BlockKind::kInput, nullptr, out, window, other);
  EXPECT_EQ(out[column], 0) << "another name changes nothing";
}

TEST(DecodedNumbers, VelocitiesAndContactsAreTheBlocks) {
  const Layout layout = layout_of(
      "output",
      "\"root.delta\", \"joint.position\", \"joint.rotation_6d\", \"joint.velocity\", \"contact\", \"phase.delta\"",
      "[contacts]\njoints = [\"feet\"]\n");
  const Decoder decoder = Decoder::create(layout, test::walker_skeleton()).value();
  DecodedFrame frame = decoder.make_frame();
  ASSERT_EQ(frame.contacts.size(), 2U);
  ASSERT_EQ(frame.velocities.size(), 6U);
  std::vector<float> values(static_cast<std::size_t>(layout.width(BlockKind::kOutput)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.01F * static_cast<float>(i);
  const PlanarRoot before{{1, 0, 2}, 0.4F}, root{{1, 0, 3}, 0.9F};
  decoder.decode(values, before, root, frame);
  const auto at = [&](const char* name) {
    return values.data() + layout.find_column(BlockKind::kOutput, name).value().begin;
  };
  const float c = std::cos(0.9F), s = std::sin(0.9F);
  for (std::size_t j = 0; j < 6; ++j) {
    const float* v = at("joint.velocity") + 3 * j;
    const Vec3 expected{c * v[0] + s * v[2], v[1], c * v[2] - s * v[0]};  // Out of a root that faces 0.9 rad.
    EXPECT_LT(distance(frame.velocities[j], expected), 1e-5F) << j;
    const float* p = at("joint.position") + 3 * j;
    EXPECT_LT(distance(frame.positions[j], Vec3{1 + c * p[0] + s * p[2], p[1], 3 + c * p[2] - s * p[0]}), 1e-5F) << j;
  }
  EXPECT_EQ(frame.contacts[0], at("contact")[0]);
  EXPECT_EQ(frame.contacts[1], at("contact")[1]);
  EXPECT_EQ(frame.phase_delta, at("phase.delta")[0]);
  EXPECT_EQ(frame.root.facing_rad, 0.9F);
}

TEST(DecoderRefusals, SayWhatIsMissing) {
  const auto why = [](const char* channels) {
    const auto decoder = Decoder::create(layout_of("output", channels), test::walker_skeleton());
    return decoder ? std::string() : decoder.error().message;
  };
  EXPECT_EQ(why("\"root.delta\", \"joint.position\", \"joint.rotation_6d\""), "");
  EXPECT_EQ(why("\"root.own_velocity\", \"joint.position\", \"joint.rotation_log\""), "");
  EXPECT_EQ(why("\"root parts=position,direction times=0.033333333333333333:1:3\", \"joint.position\", "
                "\"joint.rotation_6d\""),
            "");
  EXPECT_NE(why("\"root parts=position,direction times=0.1:1:3\", \"joint.position\", \"joint.rotation_6d\"")
                .find("no root.delta"),
            std::string::npos);
  EXPECT_NE(why("\"joint.position\", \"joint.rotation_6d\"").find("no root.delta"), std::string::npos);
  EXPECT_NE(why("\"root.delta\", \"joint.rotation_6d\"").find("no joint.position"), std::string::npos);
  EXPECT_NE(why("\"root.delta\", \"joint.position\"").find("no rotations"), std::string::npos);
  EXPECT_NE(why("\"root.delta\", \"joint.position\", \"joint.x_axis\"").find("no rotations"), std::string::npos);
}

}  // namespace
}  // namespace zoe::features
