// SPDX-License-Identifier: MIT
#include "zoe/scene/attachment.h"

#include <gtest/gtest.h>

#include "zoe/scene/ik_target.h"

#include "scene/rig.h"

namespace zoe::scene {
namespace {

// A sword in a hand that a target pulls, the target in front of a chest that a clip moves, on an
// actor that walks.
TEST(Attachment, FollowsClipsTargetsAndTheActor) {
  Scene scene;
  ecs::World& world = scene.world();
  const CharacterPtr rig = make_rig();
  const Entity actor = add_actor(world, rig);
  ASSERT_TRUE(play_motion(world, actor, make_clip(rig->skeleton, 0, 0.3F)));
  const Entity sword = add_node(world, "sword");
  attach_to_joint(world, sword, actor, kLeftHand, {{0.1F, 0, 0}, {}});
  const Entity front = add_node(world, "front");
  attach_to_joint(world, front, actor, kChest, {{0.2F, 0.1F, 0.35F}, {}});
  const Entity target = add_two_bone_target(world, actor, kLeftHand).value();
  set_parent(world, target, front);
  world.get<LocalTransform>(target).set({});
  for (int i = 0; i < 30; ++i) {
    world.get<LocalTransform>(actor).edit().translation.z += 0.02F;
    scene.step();
    const Actor& body = world.get<Actor>(actor);
    const Affine& place = world.get<WorldTransform>(actor).world_from_entity;
    const Affine hand = place * body.model_from_joint[kLeftHand];
    EXPECT_LT(distance(world.get<WorldTransform>(sword).world_from_entity.t, hand.apply_point({0.1F, 0, 0})), 1e-4F);
    const Vec3 wanted = (place * body.model_from_joint[kChest]).apply_point({0.2F, 0.1F, 0.35F});
    EXPECT_LT(distance(hand.t, wanted), 1e-4F);
    EXPECT_LT(distance(compute_joint(body, kLeftHand).t, body.model_from_joint[kLeftHand].t), 1e-5F);
  }
}

TEST(AttachmentDeathTest, TheJointMustBeThere) {
  Scene scene;
  const Entity actor = add_actor(scene.world(), make_rig()), thing = add_node(scene.world(), "thing");
  EXPECT_DEATH(attach_to_joint(scene.world(), thing, actor, 99), "no such joint");
}

}  // namespace
}  // namespace zoe::scene
