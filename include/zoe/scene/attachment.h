// SPDX-License-Identifier: MIT
// Part of Zoetrope. Attachments to joints: a sword in a hand, a lamp on a head, a target in front of a chest.
#pragma once

#include "zoe/ecs/world.h"
#include "zoe/scene/actor.h"
#include "zoe/scene/transform.h"

namespace zoe::scene {

// A component of an entity whose Parent is the actor. Its local transform follows the joint. Before targets are solved
// it has the clip's pose, so that targets may be attached to joints. At the end of the step it has the final pose.
struct JointAttachment {
  int joint = 0;
  Transform joint_from_entity;
};

// Attaches an entity to an actor's joint. Checked: the actor has that joint.
void attach_to_joint(ecs::World& world, Entity entity, Entity actor, int joint,
                     const Transform& joint_from_entity = {});

// model_from_joint of one joint of the present pose, by walking up.
Affine compute_joint(const Actor& actor, int joint);

}  // namespace zoe::scene
