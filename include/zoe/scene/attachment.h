// SPDX-License-Identifier: MIT
// Part of Zoetrope. A thing on a joint: a sword in a hand, a lamp on a head, a target in front of a chest.
#pragma once

#include "zoe/ecs/world.h"
#include "zoe/scene/actor.h"
#include "zoe/scene/transform.h"

namespace zoe::scene {

// A component of an entity whose Parent is the actor. Its local transform follows the joint: before targets are solved as
// the clip has it, so that targets may hang on joints, and at the end of the step as it came out.
struct JointAttachment {
  int joint = 0;
  Transform joint_from_entity;
};

// Hangs an entity on an actor's joint. Checked: the actor has that joint.
void attach_to_joint(ecs::World& world, Entity entity, Entity actor, int joint,
                     const Transform& joint_from_entity = {});

// model_from_joint of one joint of the pose as it is now, by walking up.
Affine compute_joint(const Actor& actor, int joint);

}  // namespace zoe::scene
