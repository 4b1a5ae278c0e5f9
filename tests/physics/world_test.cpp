// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Several bodies and boxes in one world.
#include "zoe/physics/world.h"

#include <algorithm>

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
