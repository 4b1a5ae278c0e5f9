// SPDX-License-Identifier: MIT
// Channels of roots, ground, labels, goals and signals on a straight walk, a turn on the spot and a
// side step: every expected number is a formula.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "features/gathered.h"
#include "features/stepping_figure.h"
#include "features/turning_walker.h"

namespace zoe::features {
namespace {

using test::Walk;

constexpr int kFrame = 60;  // One second into the clip.
constexpr float kQuarter = std::numbers::pi_v<float> / 2;

Layout figure_layout(const std::string& channels, const std::string& tables = {}) {
  auto layout =
      Layout::compile(test::input_schema(channels, tables), *test::figure_skeleton(), test::figure_analysis());
  EXPECT_TRUE(layout) << layout.error().format();
  return std::move(layout.value());
}

// Wherever the walk is and whichever way it goes, its root sees the same.
TEST(TrajectoryChannels, StraightWalk) {
  const Walk walk;
  for (const float facing : {0.0F, kQuarter, 2.5F}) {
    Motion motion = test::walking(walk, 181);
    test::place(motion, facing, {3, 0, -2});
    const auto g = test::gather(figure_layout("\"root parts=position,direction,velocity,speed,turn_speed,height "
                                              "times=-0.5:0.5:3\", \"root.own_velocity\""),
                                {.motion = &motion}, kFrame);
    for (int i = 0; i < 3; ++i) {
      const double t = -0.5 + 0.5 * i;
      const double expected[9] = {0, walk.speed_m_s * t, 0, 1, 0, walk.speed_m_s, walk.speed_m_s, 0, 0};
      for (int k = 0; k < 9; ++k)
        EXPECT_NEAR(g.at("root", 9 * i + k), expected[k], 2e-4) << i << " " << k << " facing " << facing;
    }
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(g.at("root.own_velocity", k), k == 2 ? walk.speed_m_s : 0, 2e-4);
  }
}

TEST(TrajectoryChannels, TurnOnTheSpot) {
  const test::Circle circle{.radius_m = 0, .turn_rad_s = 0.5, .fps = 60};
  const Motion motion = test::circling(circle, 181);
  const Schema schema = test::input_schema(
      "\"root parts=position,direction,speed,turn_speed times=-0.5:0.5:3\", \"root.delta "
      "turn=degrees\", \"root.own_velocity\"");
  const auto g = test::gather(Layout::compile(schema, *motion.skeleton, test::walker_analysis()).value(),
                              {.motion = &motion}, kFrame);
  for (int i = 0; i < 3; ++i) {
    const double angle = 0.5 * (-0.5 + 0.5 * i);
    const double expected[6] = {0, 0, std::sin(angle), std::cos(angle), 0, 0.5};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(g.at("root", 6 * i + k), expected[k], 1e-4) << i << " " << k;
  }
  EXPECT_NEAR(g.at("root.delta", 0), 0, 1e-6);
  EXPECT_NEAR(g.at("root.delta", 1), 0.5 / 60 * 180 / std::numbers::pi, 1e-4);
  EXPECT_NEAR(g.at("root.delta", 2), 0, 1e-6);
  EXPECT_NEAR(g.at("root.own_velocity", 4), 0.5, 1e-4);
}

// Faces +X and goes towards +Z: to its right, which is negative.
TEST(TrajectoryChannels, SideStep) {
  const Walk walk;
  Motion motion = test::walking(walk, 181);
  for (std::size_t f = 0; f < 181; ++f)
    motion.rotations[f * test::kFigureJoints] = from_axis_angle(Vec3{0, 1, 0}, kQuarter);
  const auto g =
      test::gather(figure_layout("\"root parts=position,direction,velocity times=0:0.5:2\", \"root.delta per=second\""),
                   {.motion = &motion}, kFrame);
  EXPECT_NEAR(g.at("root", 6), -0.6, 1e-4);
  EXPECT_NEAR(g.at("root", 7), 0, 1e-4);
  EXPECT_NEAR(g.at("root", 8), 0, 1e-5);
  EXPECT_NEAR(g.at("root", 9), 1, 1e-5);
  EXPECT_NEAR(g.at("root", 10), -1.2, 2e-4);
  EXPECT_NEAR(g.at("root.delta", 0), -1.2, 2e-4);
  EXPECT_NEAR(g.at("root.delta", 2), 0, 2e-4);
}

// Ground that rises along z by 0.1 and along x by 0.2: heights count from the mean of the middle
// row.
TEST(TrajectoryChannels, TerrainOfASlope) {
  const Walk walk;
  const GroundPtr slope = Ground::function([](float x, float z) { return 0.1F * z + 0.2F * x; });
  const double lateral[3] = {-0.25, 0, 0.25};
  for (const bool turned : {false, true}) {
    Motion motion = test::walking(walk, 181);
    test::place(motion, turned ? kQuarter : 0.0F, {1, 0, 2});
    const auto g =
        test::gather(figure_layout("\"terrain times=-0.5:0.5:3\""), {.motion = &motion, .ground = slope.get()}, kFrame);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        const double way = walk.speed_m_s * (-0.5 + 0.5 * i);
        // Left of +Z is +X; left of +X is -Z.
        const double expected = turned ? 0.2 * way - 0.1 * lateral[k] : 0.1 * way + 0.2 * lateral[k];
        EXPECT_NEAR(g.at("terrain", 3 * i + k), expected, 1e-5) << turned << i << k;
      }
    }
    const auto flat = test::gather(figure_layout("\"terrain times=-0.5:0.5:3\""), {.motion = &motion}, kFrame);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(flat.at("terrain", k), 0, 1e-6) << "no terrain is level ground";
  }
}

TEST(TrajectoryChannels, LabelsByName) {
  const Motion motion = test::walking({}, 181);
  std::vector<float> ramp(181);
  for (std::size_t f = 0; f < 181; ++f) ramp[f] = static_cast<float>(f) / 180;
  const LabelTrack labels[] = {{"tired", 1, ramp}, {"push", 0.5F, {}}, {"unknown", 1, {}}};
  const auto g =
      test::gather(figure_layout("\"root.style times=-0.5:0.5:3\", \"style\", \"action\"",
                                 "[labels]\nstyles = [\"proud\", \"tired\"]\nactions = [\"push\", \"pull\"]"),
                   {.motion = &motion, .labels = labels}, kFrame);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(g.at("root.style", 2 * i), 0);
    EXPECT_NEAR(g.at("root.style", 2 * i + 1), (30.0 + 30 * i) / 180, 1e-6);
  }
  EXPECT_NEAR(g.at("style", 1), 60.0 / 180, 1e-6);
  EXPECT_EQ(g.at("action", 0), 0.5F);
  EXPECT_EQ(g.at("action", 1), 0);
}

// At (2.2, 0, 1), facing +X; the goal at (5.2, 0.5, 2) faces +Z: three ahead, one to the right.
struct GoalScene {
  Motion motion = test::walking({}, 181);
  std::vector<Goal> goals = std::vector<Goal>(181, Goal{{5.2F, 0.5F, 2}, {0, 0, 1}});
  LabelTrack labels[3] = {{"a", 1, {}}, {"b", 0, {}}, {"c", 0.75F, {}}};
  GoalScene() { test::place(motion, kQuarter, {1, 0, 1}); }
  ClipContext clip() const { return {.motion = &motion, .labels = labels, .goals = goals}; }
};

TEST(TrajectoryChannels, GoalsAndWhatIsSeenFromThem) {
  const GoalScene scene;
  const auto g =
      test::gather(figure_layout("\"goal parts=position,direction,action times=-0.5:0.5:3\", \"joint.position "
                                 "joints=hips space=goal\", \"root parts=position,direction space=goal\"",
                                 "[labels]\nactions = [\"c\"]"),
                   scene.clip(), kFrame);
  const double goal[7] = {-1, 0.5, 3, -1, 0, 0, 0.75}, hips[3] = {-3, 0.5, -1}, root[4] = {-3, -1, 1, 0};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 7; ++k) EXPECT_NEAR(g.at("goal", 7 * i + k), goal[k], 2e-4) << i << " " << k;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(g.at("joint.position", k), hips[k], 2e-4);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(g.at("root", k), root[k], 2e-4);

  const auto without =
      test::gather(figure_layout("\"goal parts=position,direction\""), {.motion = &scene.motion}, kFrame);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(without.at("goal", k), k == 5 ? 1 : 0, 1e-5) << "no goal: where the root is";
  const std::vector<Goal> few(3);
  const auto refused = build_frame_rows(without.layout, {.motion = &scene.motion, .goals = few});
  EXPECT_NE(refused.error().message.find("3 goals for 181 frames"), std::string::npos);
}

TEST(TrajectoryChannels, GatingMultipliesLabelsPhaseDistanceAndAngle) {
  const GoalScene scene;
  const auto g = test::gather(
      figure_layout("\"gating\", \"phase.global\"", "[labels]\nstyles = [\"a\", \"b\"]\nactions = [\"c\"]"),
      scene.clip(), kFrame);
  const double angle = 2 * std::numbers::pi * g.at("phase.global", 0), distance = std::sqrt(9 + 0.25 + 1);
  // Labels 1, 0 and 0.75 are 1, -1 and 0.5 from -1 to 1.
  const double factors[5] = {1, -1, 0.5, 0.5 * distance, 0.5 * std::numbers::pi / 2};
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(g.at("gating", 2 * i), factors[i] * std::sin(angle), 5e-4) << i;
    EXPECT_NEAR(g.at("gating", 2 * i + 1), factors[i] * std::cos(angle), 5e-4) << i;
  }
}

TEST(TrajectoryChannels, SignalsAreWhatTheCallerSays) {
  const Motion motion = test::walking({}, 181);
  std::vector<float> values(2 * 181);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const SignalTrack track{"sonar", values};
  const Layout layout = figure_layout("\"signal name=sonar width=2\", \"signal name=smell width=3\"");
  const auto g = test::gather(layout, {.motion = &motion, .signals = {&track, 1}}, kFrame);
  EXPECT_EQ(g.at("signal name=sonar width=2", 0), 120);
  EXPECT_EQ(g.at("signal name=sonar width=2", 1), 121);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(g.at("signal name=smell width=3", i), 0) << "nothing was supplied";
  const SignalTrack shorter{"sonar", std::span(values).first(5)};
  EXPECT_NE(build_frame_rows(layout, {.motion = &motion, .signals = {&shorter, 1}})
                .error()
                .message.find("signal 'sonar' has 5 values"),
            std::string::npos);
}

}  // namespace
}  // namespace zoe::features
