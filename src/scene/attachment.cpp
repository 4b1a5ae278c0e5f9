// SPDX-License-Identifier: MIT
#include "zoe/scene/attachment.h"

#include "zoe/scene/hierarchy.h"

#include "scene/systems.h"

namespace zoe::scene {

Affine compute_joint(const Actor& actor, int joint) {
  Affine place;
  const PoseView pose = actor.pose.view();
  for (; joint != kNoJoint; joint = actor.skeleton().parent(joint)) place = to_affine(pose.joint(joint)) * place;
  return place;
}

void attach_to_joint(ecs::World& world, Entity entity, Entity actor, int joint, const Transform& joint_from_entity) {
  const Actor& body = world.get<Actor>(actor);
  ZOE_CHECK(joint >= 0 && joint < body.skeleton().num_joints(), "attach_to_joint: the actor has no such joint");
  const Transform local = decompose(compute_joint(body, joint) * to_affine(joint_from_entity));
  set_parent(world, entity, actor);
  world.add(entity, LocalTransform(local));
  if (!world.has<WorldTransform>(entity)) world.add(entity, WorldTransform{});
  world.get<WorldTransform>(entity).world_from_entity = compute_world(world, entity);
  world.add(entity, JointAttachment{joint, joint_from_entity});
}

void add_attachment_system(ecs::Schedule& schedule) {
  using AttachScope = ecs::Scope<LocalTransform, const JointAttachment, const Parent, const Actor>;
  schedule.add<LocalTransform, const JointAttachment, const Parent, const Actor>("attachments", [](AttachScope& scope) {
    scope.query<LocalTransform, const JointAttachment, const Parent>().each(
        [&](LocalTransform& local, const JointAttachment& attachment, const Parent& parent) {
          const auto* actor = scope.find<const Actor>(parent.entity());
          if (actor == nullptr || attachment.joint >= actor->skeleton().num_joints()) return;
          local.set(decompose(compute_joint(*actor, attachment.joint) * to_affine(attachment.joint_from_entity)));
        });
  });
}

}  // namespace zoe::scene
