// SPDX-License-Identifier: MIT
// The locomotion layout on a figure that circles: every column against its formula.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"

#include "features/turning_walker.h"

namespace zoe::features {
namespace {

using test::Circle;

constexpr double kDegrees = 180 / std::numbers::pi;

struct Gathered {
  Layout layout;
  std::vector<float> input, output;

  float in(std::string_view name, int i) const { return input[column(BlockKind::kInput, name, i)]; }
  float out(int step, std::string_view name, int i) const {
    return output[static_cast<std::size_t>(step * layout.width(BlockKind::kOutput)) +
                  column(BlockKind::kOutput, name, i)];
  }
  std::size_t column(BlockKind kind, std::string_view name, int i) const {
    return static_cast<std::size_t>(layout.find_column(kind, name).value().begin + i);
  }
};

// No smoothing: the circle itself is what comes out.
Schema plain_locomotion() {
  Schema schema = Schema::preset("locomotion").value();
  schema.root.half_window_s = 0;
  schema.contact_joints = {"feet"};
  return schema;
}

Gathered gather_at(const Circle& circle, const Sample& sample) {
  const Motion motion = test::circling(circle, 121);
  Gathered g{Layout::compile(plain_locomotion(), *motion.skeleton, test::walker_analysis()).value(), {}, {}};
  const std::vector<float> rows = build_frame_rows(g.layout, {.motion = &motion}).value();
  const ClipRows clip{rows.data(), num_rows(g.layout, motion)};
  g.input.resize(g.layout.size(BlockKind::kInput));
  g.output.resize(g.layout.size(BlockKind::kOutput));
  const GatherJob job{
      .layout = &g.layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .input = g.input, .output = g.output};
  EXPECT_EQ(job.validate(), nullptr);
  EXPECT_TRUE(job.run());
  return g;
}

TEST(Locomotion, WidthsFollowTheNumberOfJoints) {
  const Layout layout = Layout::compile(plain_locomotion(), *test::walker_skeleton(), test::walker_analysis()).value();
  EXPECT_EQ(layout.width(BlockKind::kInput), 6 * 12 + 96 + 6 * 3);
  EXPECT_EQ(layout.width(BlockKind::kOutput), 3 + 6 * 12);
  EXPECT_EQ(layout.steps(BlockKind::kOutput), 16);
  EXPECT_EQ(layout.steps(BlockKind::kInput), 1);
  EXPECT_EQ(layout.frame_width() % 16, 0);
  EXPECT_EQ(layout.past_frames(), 1) << "the first delta leads from the frame before";
  EXPECT_EQ(layout.future_frames(), 15);
  // One copy of the pose and the root's delta: nothing else is done a step.
  EXPECT_EQ(layout.ops(BlockKind::kOutput).size(), 2U);
}

TEST(Locomotion, PoseIsInTheRootsAxes) {
  const Circle circle;
  const Gathered g = gather_at(circle, {0, 20, 0});
  const float expected[6][3] = {{0, 1, 0},     {0.1F, 1, 0},         {0.1F, 0.1F, 0.05F},
                                {-0.1F, 1, 0}, {-0.1F, 0.1F, 0.05F}, {0, 1.6F, 0}};
  for (int j = 0; j < 6; ++j) {
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(g.in("joint.position", 3 * j + a), expected[j][a], 1e-5) << j;
      EXPECT_NEAR(g.in("guidance", 3 * j + a), expected[j][a], 1e-5) << "a stiff pose is its own mean";
      EXPECT_NEAR(g.in("joint.z_axis", 3 * j + a), a == 2 ? 1 : 0, 1e-5);
      EXPECT_NEAR(g.in("joint.y_axis", 3 * j + a), a == 1 ? 1 : 0, 1e-5);
    }
  }
}

// One frame of the clip (1/60 s) back, in the axes of now: not the tangent.
TEST(Locomotion, VelocitiesAreBackwardDifferencesAtTheClipsRate) {
  const Circle circle;
  const Gathered g = gather_at(circle, {0, 20, 0});
  const double t = 20 / 30.0, h = 1 / 60.0, turn = circle.turn_rad_s * h;
  // The chord of the circle, seen from its end: back by r sin(turn), sideways by r (1 - cos(turn)).
  EXPECT_NEAR(g.in("joint.velocity", 0), -circle.radius_m * (1 - std::cos(turn)) / h, 2e-4);
  EXPECT_NEAR(g.in("joint.velocity", 2), circle.radius_m * std::sin(turn) / h, 2e-4);
  // The left leg is 10 cm outside of... towards +X is inside: the circle's centre lies at +X.
  EXPECT_NEAR(g.in("joint.velocity", 3 + 2), (circle.radius_m - 0.1) * std::sin(turn) / h, 2e-4);
  const double x = (circle.x(t + 0.5) - circle.x(t + 0.5 - h)) / h, z = (circle.z(t + 0.5) - circle.z(t + 0.5 - h)) / h;
  const double c = std::cos(circle.facing(t)), s = std::sin(circle.facing(t));
  EXPECT_NEAR(g.in("root.velocity", 30), c * x - s * z, 3e-4);
  EXPECT_NEAR(g.in("root.velocity", 31), s * x + c * z, 3e-4);
}

TEST(Locomotion, FutureRootsAreInThePresentRoot) {
  const Circle circle;
  const Gathered g = gather_at(circle, {0, 20, 0});
  for (int i = 0; i < 16; ++i) {
    const double ahead = i / 30.0;  // A circle looks the same from each of its points.
    EXPECT_NEAR(g.in("root.position", 2 * i), circle.x(ahead), 1e-5);
    EXPECT_NEAR(g.in("root.position", 2 * i + 1), circle.z(ahead), 1e-5);
    EXPECT_NEAR(g.in("root.direction", 2 * i), std::sin(circle.facing(ahead)), 1e-5);
    EXPECT_NEAR(g.in("root.direction", 2 * i + 1), std::cos(circle.facing(ahead)), 1e-5);
  }
}

TEST(Locomotion, OutputStepsHaveTheirOwnRoot) {
  const Circle circle;
  const Gathered g = gather_at(circle, {0, 20, 0});
  const double dt = 1 / 30.0;
  for (int step = 0; step < 16; ++step) {
    EXPECT_NEAR(g.out(step, "root.delta", 0), circle.x(dt), 1e-5);
    EXPECT_NEAR(g.out(step, "root.delta", 1), circle.turn_rad_s * dt * kDegrees, 1e-4);
    EXPECT_NEAR(g.out(step, "root.delta", 2), circle.z(dt), 1e-5);
    EXPECT_NEAR(g.out(step, "joint.position", 0), 0, 1e-5);
    EXPECT_NEAR(g.out(step, "joint.position", 1), 1, 1e-5);
    EXPECT_NEAR(g.out(step, "joint.z_axis", 2), 1, 1e-5);
  }
}

// The reference takes the nearest frame: here times between frames are between them.
TEST(Locomotion, TimesBetweenFramesAreInterpolated) {
  const Circle circle{.radius_m = 2, .turn_rad_s = 0.5, .fps = 25};
  const Motion motion = test::circling(circle, 61);
  const Layout layout = Layout::compile(plain_locomotion(), *motion.skeleton, test::walker_analysis()).value();
  EXPECT_EQ(num_rows(layout, motion), 73);
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
  double worst = 0, worst_nearest = 0;
  for (int k = 0; k < 73; ++k) {
    const double t = k / 30.0, nearest = std::round(t * 25) / 25;
    const float x = rows[static_cast<std::size_t>(k * layout.frame_width()) + row::kX];
    worst = std::max(worst, std::abs(x - circle.x(t)));
    worst_nearest = std::max(worst_nearest, std::abs(circle.x(nearest) - circle.x(t)));
  }
  EXPECT_LT(worst, 2e-4);
  EXPECT_GT(worst_nearest, 0.01) << "what nearest frames would give";

  // Samples between rows too: half way is the mean of both, in the axes of half way.
  const Gathered g = gather_at(Circle{}, {0, 20, 0.5F});
  const Circle c;
  for (int i = 0; i < 16; ++i) {
    EXPECT_NEAR(g.in("root.position", 2 * i), c.x(i / 30.0), 3e-4);
    EXPECT_NEAR(g.in("root.position", 2 * i + 1), c.z(i / 30.0), 3e-4);
  }
}

TEST(GatherJob, SaysWhatIsWrong) {
  const Motion motion = test::circling({}, 60);
  const Layout layout = Layout::compile(plain_locomotion(), *motion.skeleton, test::walker_analysis()).value();
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
  const ClipRows clip{rows.data(), num_rows(layout, motion)};
  std::vector<float> input(layout.size(BlockKind::kInput));
  Sample sample;
  GatherJob job{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .input = input};
  EXPECT_EQ(job.validate(), nullptr);
  sample.frame = clip.num_rows;
  EXPECT_STREQ(job.validate(), "a sample's frame is out of range");
  EXPECT_FALSE(job.run());
  sample = {1, 0, 0};
  EXPECT_STREQ(job.validate(), "a sample's clip is out of range");
  sample = {0, 0, 1.0F};
  EXPECT_STREQ(job.validate(), "a sample's fraction is not in [0, 1)");
  sample = {};
  job.input = std::span(input).first(input.size() - 1);
  EXPECT_STREQ(job.validate(), "input is not samples x steps x width");
  job.input = input;
  const ClipRows empty{rows.data(), 0};
  job.clips = {&empty, 1};
  EXPECT_STREQ(job.validate(), "a clip has no rows");
  job.layout = nullptr;
  EXPECT_STREQ(job.validate(), "no layout");
}

}  // namespace
}  // namespace zoe::features
