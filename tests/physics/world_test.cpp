// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Several bodies and boxes in one world.
#include "zoe/physics/world.h"

#include <algorithm>

#include "zoe/physics/reactive_body.h"

#include "bodies.h"
#include "support/allocation.h"

namespace zoe::physics {
namespace {

Pose beside(const TestRig& made, float x_m) {
  Pose pose = reference_pose_of(made.source());
  pose.translations[0].x += x_m / static_cast<float>(made.plan.metres_per_unit);
  return pose;
}

TEST(PhysicsWorld, ABodyAloneIsLikeItsState) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const auto world = World::create(std::span(&made.model, 1)).value();
  BodyState alone(made.model);
  const Pose pose = beside(made, 0);
  const double ground = ground_of(made);
  world->body(0).reset(pose.view(), ground);
  alone.reset(pose.view(), ground);
  const PoseView target = pose.view();
  const TickOptions options{.assist_n = 50, .push_n = {80, 0, 0}};
  for (int i = 0; i < 30; ++i) {
    world->tick(std::span(&target, 1), std::span(&options, 1));
    alone.tick(target, options);
  }
  for (int b = 0; b < alone.num_bones(); ++b)
    EXPECT_LT(distance(world->body(0).bone_origin_m(b), alone.bone_origin_m(b)), 1e-6);
}

// One falls under a push of ten times its weight and gets up; the other stays on its feet.
TEST(PhysicsWorld, BodiesFallAndGetUp) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const BodyModelPtr models[] = {made.model, made.model};
  const auto world = World::create(models).value();
  const Pose poses[] = {beside(made, 0), beside(made, -3 * static_cast<float>(made.plan.height_m))};
  std::vector<ReactiveBody> bodies;
  for (int i = 0; i < 2; ++i) {
    bodies.emplace_back(made.model, world->body(i));
    bodies.back().reset(poses[i].view(), ground_of(made));
  }
  const double weight = made.plan.mass_kg * kGravityM_s2;
  const int num_ticks = zoe::test::kSanitized ? 30 : 480;
  for (int i = 0; i < num_ticks; ++i) {
    PoseView targets[2];
    TickOptions options[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const bool pushed = k == 0 && i >= 10 && i < 16;
      const PreparedTick tick = bodies[k].prepare(poses[k].view(), {pushed ? 10 * weight : 0, 0, 0});
      targets[k] = tick.target, options[k] = tick.options;
    }
    const std::span<const TickReport> reports = world->tick(targets, options);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_FALSE(bodies[k].finish(reports[k]).went_bad) << i;
  }
  if (zoe::test::kSanitized) return;
  EXPECT_GE(bodies[0].num_falls(), 1);
  EXPECT_GE(bodies[0].num_get_ups(), 1);
  EXPECT_EQ(bodies[0].reaction(), Reaction::kFollow);
  EXPECT_EQ(bodies[1].num_falls(), 0);
  EXPECT_LT(distance(world->body(1).bone_origin_m(0), world->body(1).target_origin_m(0)), 0.1);
}

TEST(PhysicsWorld, BodiesBumpIntoEachOther) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const BodyModelPtr models[] = {made.model, made.model};
  const auto world = World::create(models).value();
  const float apart_m = 1.1F * static_cast<float>(made.plan.height_m);
  const Pose poses[] = {beside(made, 0), beside(made, apart_m)};
  const PoseView targets[] = {poses[0].view(), poses[1].view()};
  for (int i = 0; i < 2; ++i) world->body(i).reset(targets[i], ground_of(made));
  const double before = world->body(1).bone_origin_m(0).x;
  // The first is thrown at the second.
  const double weight = made.plan.mass_kg * kGravityM_s2;
  bool touched = false;
  double farthest = 0;
  for (int i = 0; i < 90; ++i) {
    const TickOptions options[] = {{.servo_scale = 0.5, .push_n = {i < 12 ? 3 * weight : 0, 0, 0}},
                                   {.assist_n = 0.3 * weight}};
    world->tick(targets, options);
    touched = touched || world->touch(0, 1);
    farthest = std::max(farthest, world->body(1).bone_origin_m(0).x - before);
  }
  EXPECT_TRUE(touched);
  EXPECT_GT(farthest, 0.05) << "the second is pushed away";
}

TEST(PhysicsWorld, ABoxIsPushedAndAFixedOneIsNot) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const double h = made.plan.height_m;
  std::vector<Prop> props;
  props.push_back({.half_size_m = {0.1, 0.3 * h, 0.3 * h}, .position_m = {0.75 * h, 0.3 * h, 0}, .mass_kg = 8});
  props.push_back({.half_size_m = {0.1, 0.3 * h, 0.3 * h}, .position_m = {-2 * h, 0.3 * h, 0}, .mass_kg = 0});
  const auto world = World::create(std::span(&made.model, 1), {.props = props}).value();
  ASSERT_EQ(world->num_props(), 2);
  const Pose pose = beside(made, 0);
  const PoseView target = pose.view();
  world->body(0).reset(target, ground_of(made));
  const double weight = made.plan.mass_kg * kGravityM_s2;
  for (int i = 0; i < 90; ++i) {
    const TickOptions options{.servo_scale = 0.5, .push_n = {i < 12 ? 3 * weight : 0, 0, 0}};
    world->tick(std::span(&target, 1), std::span(&options, 1));
  }
  EXPECT_GT(world->prop_position_m(0).x, 0.8 * h);
  EXPECT_GT(world->prop_position_m(0).y, 0.02) << "it does not fall through the floor";
  EXPECT_NEAR(world->prop_position_m(1).x, -2 * h, 1e-5) << "the engine's XML has six digits";
}

TEST(PhysicsWorld, SameHashTwiceAndNoAllocations) {
  const TestRig made = make_test_rig(BodyFamily::kQuadruped);
  const BodyModelPtr models[] = {made.model, made.model};
  std::uint64_t hashes[2];
  for (std::uint64_t& hash : hashes) {
    const auto world = World::create(models, {.props = {{.position_m = {0, 1.5, 0}}}}).value();
    const Pose poses[] = {beside(made, 0), beside(made, 0.6F)};
    const PoseView targets[] = {poses[0].view(), poses[1].view()};
    for (int i = 0; i < 2; ++i) world->body(i).reset(targets[i], ground_of(made));
    const TickOptions options[] = {{.assist_n = 50}, {.assist_n = 50}};
    world->tick(targets, options);
    const zoe::test::AllocationMeter counter;
    for (int i = 0; i < 40; ++i) world->tick(targets, options);
    EXPECT_TRUE(zoe::test::kSanitized || counter.allocations() == 0U) << counter.allocations();
    hash = world->hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace zoe::physics
