// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Bodies that are pushed over and get up again, where they lie.
#include "zoe/physics/reactive_body.h"

#include <algorithm>
#include <cmath>

#include "zoe/physics/push_motion.h"

#include "bodies.h"
#include "physics/get_up.h"
#include "support/allocation.h"

namespace zoe::physics {
namespace {

// Standing for ten seconds; the stream moves 0.2 m/s along +z, as a controller that does not know of the fall.
Motion standing(const TestRig& made, int num_frames) {
  const Pose pose = reference_pose_of(made.source());
  Motion motion = make_motion(made.body.skeleton, "stand", 60, num_frames, false);
  for (int frame = 0; frame < num_frames; ++frame) {
    const auto at = static_cast<std::ptrdiff_t>(frame) * motion.num_joints();
    std::ranges::copy(pose.translations, motion.translations.begin() + at);
    std::ranges::copy(pose.rotations, motion.rotations.begin() + at);
    motion.translations[static_cast<std::size_t>(at)].z += 0.2F * static_cast<float>(frame) / 60;
  }
  return motion;
}

// Targets of getting up never put feet below where they stand at the end: legs would throw the body up.
TEST(GetUp, LegsDoNotReachIntoTheGround) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped}) {
    SCOPED_TRACE(to_string(family));
    const TestRig made = make_test_rig(family);
    const Pose standing = reference_pose_of(made.source());
    // On its side, on the ground.
    Pose lying = standing;
    const auto root = static_cast<std::size_t>(made.plan.bones[0].joint);
    lying.rotations[root] = from_axis_angle(Vec3{0, 0, 1}, 1.5F) * lying.rotations[root];
    lying.translations[root].y *= 0.2F;
    GetUpPlan plan(made.plan, *made.body.skeleton);
    plan.begin(lying);
    Pose out = standing;
    anatomy::ModelPose there, posed;
    anatomy::compute_model_pose(*made.body.skeleton, standing.view(), there);
    for (const double share : {0.8, 0.85, 0.9, 0.95, 1.0}) {
      plan.target(standing, share, 10, out);
      anatomy::compute_model_pose(*made.body.skeleton, out.view(), posed);
      for (const Bone& bone : made.plan.bones) {
        if (bone.role != BoneRole::kFoot) continue;
        const auto joint = static_cast<std::size_t>(bone.joint);
        const double below_m = (there.positions[joint].y - posed.positions[joint].y) * made.plan.metres_per_unit;
        EXPECT_LT(below_m, 0.01 * made.plan.height_m) << share;
      }
    }
  }
}

// The solver's legs flip while the body turns over. Targets that flip would throw the body up.
TEST(GetUp, TargetsNeverFlip) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Pose standing = reference_pose_of(made.source());
  const auto root = static_cast<std::size_t>(made.plan.bones[0].joint);
  const auto fastest = [&](Vec3 axis, double most_turn_rad) {
    Pose lying = standing, out = standing;
    lying.rotations[root] = from_axis_angle(axis, 1.6F) * lying.rotations[root];
    lying.translations[root].y *= 0.15F;
    GetUpPlan plan(made.plan, *made.body.skeleton);
    plan.begin(lying);
    double fastest_rad = 0;
    std::vector<Quat> last = lying.rotations;
    for (int frame = 1; frame <= 108; ++frame) {
      plan.target(standing, frame / 108.0, most_turn_rad, out);
      for (std::size_t j = 0; j < last.size(); ++j)
        if (j != root) fastest_rad = std::max(fastest_rad, double(angle_between(last[j], out.rotations[j])));
      last = out.rotations;
    }
    // It ends in the standing pose all the same.
    for (std::size_t j = 0; j < last.size(); ++j) EXPECT_LT(angle_between(last[j], standing.rotations[j]), 0.05F);
    return fastest_rad;
  };
  double unlimited = 0, limited = 0;
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    unlimited = std::max(unlimited, fastest(axis, 10));
    limited = std::max(limited, fastest(axis, 0.15));
  }
  EXPECT_GT(unlimited, 0.4) << "nothing flips here: the test tests nothing";
  EXPECT_LT(limited, 0.151);
}

TEST(ReactiveBody, FallsUnderAHardPushAndGetsUpWhereItLies) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped}) {
    SCOPED_TRACE(to_string(family));
    const TestRig made = make_test_rig(family);
    const Motion motion = standing(made, 120);
    // Ten times its weight for 0.1 s, from the side.
    const double force_n = 10 * made.plan.mass_kg * kGravityM_s2;
    const PushOptions options{.pushes = {{.time_s = 0.5, .duration_s = 0.1, .force_n = {force_n, 0, 0}}}};
    const Result<PushReport> report = push_motion(made.model, motion, options);
    ASSERT_TRUE(report) << report.error().format();
    EXPECT_GE(report->num_falls, 1);
    EXPECT_GE(report->num_get_ups, 1);
    EXPECT_TRUE(report->recovered);
    EXPECT_EQ(report->num_bad, 0);
    EXPECT_GT(report->down_s, 1);
    // Thrown at 10 m/s it moves 16 cm in a frame. A teleport back to the stream would be metres.
    EXPECT_LT(report->largest_step_m, 0.35);
    const int last = report->motion.num_frames - 1;
    const float thrown_m = std::abs(report->motion.frame(last).translations[0].x - motion.frame(0).translations[0].x);
    EXPECT_GT(thrown_m, 0.2F) << "it gets up where it fell";
    // All reactions occur, in order.
    EXPECT_EQ(report->frames.front(), Reaction::kFollow);
    EXPECT_NE(std::ranges::find(report->frames, Reaction::kFall), report->frames.end());
    EXPECT_EQ(report->frames.back(), Reaction::kFollow);
  }
}

TEST(ReactiveBody, FollowsWithoutAPush) {
  const TestRig made = make_test_rig(BodyFamily::kQuadruped);
  const Result<PushReport> report = push_motion(made.model, standing(made, 120), {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->num_falls, 0);
  EXPECT_EQ(report->motion.num_frames, 120);
  EXPECT_EQ(report->down_s, 0);
}

TEST(ReactiveBody, TicksDoNotAllocate) {
  if (zoe::test::kSanitized) GTEST_SKIP() << "malloc of the engine itself would count";
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Pose pose = reference_pose_of(made.source());
  ReactiveBody body(made.model, {.longest_fall_s = 0.3, .get_up_s = 0.5});
  body.reset(pose.view());
  const double force_n = 10 * made.plan.mass_kg * kGravityM_s2;
  for (int i = 0; i < 6; ++i) body.tick(pose.view(), {force_n, 0, 0});
  const zoe::test::AllocationMeter counter;
  for (int i = 0; i < 120; ++i) body.tick(pose.view());
  EXPECT_EQ(counter.allocations(), 0U);
  EXPECT_GE(body.num_falls(), 1) << "all reactions were ticked";
}

}  // namespace
}  // namespace zoe::physics
