// SPDX-License-Identifier: MIT
#include "zoe/scene/ik_target.h"

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"

#include "scene/rig.h"
#include "support/allocation.h"
#include "support/pool.h"

namespace zoe::scene {
namespace {

struct Stage {
  Scene scene;
  ecs::World& world = scene.world();
  // Turned and moved: targets are in world space, solvers in the model's.
  Entity actor = add_actor(world, make_rig(), {{3, 0, -2}, from_axis_angle(Vec3{0, 1, 0}, 1.1F)});

  Affine joint_world(int joint) {
    return world.get<WorldTransform>(actor).world_from_entity *
           world.get<Actor>(actor).model_from_joint[static_cast<std::size_t>(joint)];
  }
  // By a way in the actor's axes.
  void move(Entity target, Vec3 by_model) {
    const Vec3 by = world.get<WorldTransform>(actor).world_from_entity.apply_vector(by_model);
    world.get<LocalTransform>(target).edit().translation += by;
  }
  Vec3 place(Entity target) { return world.get<WorldTransform>(target).world_from_entity.t; }
};

TEST(IkTarget, BeginsWhereTheJointIs) {
  Stage stage;
  const Entity target = add_two_bone_target(stage.world, stage.actor, kLeftHand).value();
  const Vec3 before = stage.joint_world(kLeftHand).t;
  EXPECT_LT(distance(stage.place(target), before), 1e-5F);
  stage.scene.step();
  EXPECT_LT(distance(stage.joint_world(kLeftHand).t, before), 1e-4F);
}

TEST(IkTarget, TwoBonesAndChainsReachTheirTargets) {
  Stage stage;
  const Entity left = add_two_bone_target(stage.world, stage.actor, kLeftHand).value();
  const Entity right = add_fabrik_target(stage.world, stage.actor, kSpine, kRightHand).value();
  stage.move(left, {-0.1F, 0.15F, 0.1F});
  stage.move(right, {0.2F, 0.1F, 0.15F});
  stage.scene.step();
  // The chain begins at the spine and moves the left shoulder, so it is solved first only where it
  // comes first.
  EXPECT_LT(distance(stage.joint_world(kRightHand).t, stage.place(right)), 2e-3F);
  EXPECT_LT(stage.world.get<IkTarget>(right).missing_m, 2e-3F);
  stage.world.destroy(right);
  for (int i = 0; i < 2; ++i) stage.scene.step();
  EXPECT_LT(distance(stage.joint_world(kLeftHand).t, stage.place(left)), 1e-4F);
}

TEST(IkTarget, FollowsWhatItHangsOn) {
  Stage stage;
  const Entity lift = add_node(stage.world, "lift");
  const Entity target = add_two_bone_target(stage.world, stage.actor, kLeftHand).value();
  stage.move(target, {-0.1F, 0, 0.1F});
  set_parent(stage.world, target, lift, true);
  for (int i = 0; i < 10; ++i) {
    stage.world.get<LocalTransform>(lift).edit().translation.y += 0.01F;
    stage.scene.step();
    EXPECT_LT(distance(stage.joint_world(kLeftHand).t, stage.place(target)), 1e-4F);
  }
}

TEST(IkTarget, WholeBodiesMeetSeveralGoals) {
  Stage stage;
  const Entity left = add_full_body_target(stage.world, stage.actor, kLeftHand).value();
  const Entity right = add_full_body_target(stage.world, stage.actor, kRightHand).value();
  ASSERT_TRUE(stage.world.has<FullBodyIk>(stage.actor));
  stage.move(left, {-0.15F, 0.2F, 0.1F});
  stage.move(right, {0.1F, 0.15F, 0.1F});
  for (int i = 0; i < 5; ++i) stage.scene.step();
  EXPECT_LT(distance(stage.joint_world(kLeftHand).t, stage.place(left)), 0.01F);
  EXPECT_LT(distance(stage.joint_world(kRightHand).t, stage.place(right)), 0.01F);
  EXPECT_NEAR(stage.world.get<IkTarget>(left).missing_m, distance(stage.joint_world(kLeftHand).t, stage.place(left)),
              1e-5F);
}

TEST(IkTarget, NoWeightChangesNothingAndGoneActorsAreLeftAlone) {
  Stage stage;
  const Entity target = add_two_bone_target(stage.world, stage.actor, kLeftHand).value();
  stage.move(target, {-0.2F, 0.3F, 0});
  stage.world.get<IkTarget>(target).weight = 0;
  const Pose before = stage.world.get<Actor>(stage.actor).pose;
  stage.scene.step();
  EXPECT_EQ(stage.world.get<Actor>(stage.actor).pose.rotations, before.rotations);
  stage.world.get<IkTarget>(target).weight = 1;
  stage.world.destroy(stage.actor);
  stage.scene.step();
}

// Arms of the rig are straight at rest: which way they bend is found from where they point.
TEST(IkTarget, StraightArmsBendForwards) {
  for (const int hand : {int{kLeftHand}, int{kRightHand}}) {
    Stage stage;
    const Entity target = add_two_bone_target(stage.world, stage.actor, hand).value();
    stage.move(target, {hand == kLeftHand ? -0.25F : 0.25F, 0, 0});
    stage.scene.step();
    EXPECT_LT(distance(stage.joint_world(hand).t, stage.place(target)), 1e-4F);
    const Actor& actor = stage.world.get<Actor>(stage.actor);
    const auto h = static_cast<std::size_t>(hand);
    EXPECT_LT(actor.model_from_joint[h - 1].t.z, -0.05F) << "elbows point back";
  }
}

// A crowd whose targets were made in mixed order: two of each actor bend the same arm, so that
// their order matters.
TEST(IkTarget, CrowdsAreSolvedAlikeOnAnyNumberOfThreads) {
  const auto run = [](int workers) {
    ThreadPool pool(workers);
    Scene scene({.pool = &pool});
    ecs::World& world = scene.world();
    std::vector<Entity> actors, targets;
    for (int i = 0; i < 40; ++i) actors.push_back(add_actor(world, make_rig(), {{static_cast<float>(i), 0, 0}}));
    for (const int pass : {0, 1, 2}) {
      for (std::size_t i = 0; i < actors.size(); ++i) {
        const Entity actor = actors[(i * 7) % actors.size()];
        targets.push_back(pass == 1 ? add_fabrik_target(world, actor, kSpine, kLeftHand).value()
                                    : add_two_bone_target(world, actor, pass == 0 ? kLeftHand : kRightHand).value());
      }
    }
    const auto step = [&](int count) {
      for (int s = 0; s < count; ++s) {
        for (std::size_t i = 0; i < targets.size(); ++i) {
          world.get<LocalTransform>(targets[i]).edit().translation +=
              Vec3{-0.002F, 0.01F, i % 3 == 0 ? 0.01F : -0.004F};
        }
        scene.step();
      }
    };
    step(3);
    test::wait_for_threads(pool);
    const test::AllocationMeter meter;
    step(5);
    EXPECT_EQ(meter.allocations(), 0U);
    return hash_poses(world);
  };
  const Hash128 alone = run(0);
  EXPECT_EQ(alone, run(1));
  EXPECT_EQ(alone, run(3));
}

TEST(IkTarget, RefusesJointsThatMakeNoLimb) {
  Stage stage;
  EXPECT_FALSE(add_two_bone_target(stage.world, stage.actor, kSpine));
  EXPECT_FALSE(add_two_bone_target(stage.world, stage.actor, 99));
  EXPECT_FALSE(add_fabrik_target(stage.world, stage.actor, kLeftHand, kRightHand));
  EXPECT_FALSE(add_fabrik_target(stage.world, stage.actor, kHead, kHead));
  EXPECT_FALSE(add_full_body_target(stage.world, stage.actor, -1));
  const auto wrong = add_fabrik_target(stage.world, stage.actor, kHead, kSpine);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().format().find("head to spine"), std::string::npos);
}

}  // namespace
}  // namespace zoe::scene
