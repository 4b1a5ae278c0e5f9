// SPDX-License-Identifier: MIT
#include "zoe/scene/ik_target.h"

#include <algorithm>
#include <cmath>

#include "zoe/ik/fabrik_job.h"
#include "zoe/scene/hierarchy.h"

namespace zoe::scene {
namespace {

Error usage(std::string message) { return {ErrorCode::kUsage, std::move(message), {}}; }

bool has_joint(const Skeleton& skeleton, int joint) { return joint >= 0 && joint < skeleton.num_joints(); }

// The axis, in the middle joint's frame, about which a limb bends. Where it is straight at rest: hanging or standing
// limbs fold backwards like knees, limbs that reach sideways fold forwards like elbows, limbs that reach forwards fold
// up.
Vec3 bend_axis(const Skeleton& skeleton, int start, int mid, int end) {
  const std::span<const Affine> rest = skeleton.rest_model();
  const auto at = [&](int joint) { return rest[static_cast<std::size_t>(joint)].t; };
  const Vec3 upper = normalized(at(mid) - at(start), {0, -1, 0}), lower = normalized(at(end) - at(mid), {0, -1, 0});
  Vec3 axis = cross(upper, lower);
  if (length(axis) < 0.05F) {  // Less than three degrees.
    const Vec3 fold = std::abs(lower.y) > 0.7F   ? Vec3{0, 0, -1}
                      : std::abs(lower.x) > 0.7F ? Vec3{0, 0, 1}
                                                 : Vec3{0, 1, 0};
    axis = cross(lower, fold);
  }
  const Quat model_from_mid = decompose(rest[static_cast<std::size_t>(mid)]).rotation;
  return rotate(conjugate(model_from_mid), normalized(axis, {1, 0, 0}));
}

// A target entity at the present position of a joint.
Entity create_target(ecs::World& world, Entity actor_entity, int joint, IkTarget target) {
  const Actor& actor = world.get<Actor>(actor_entity);
  const Affine place = compute_world(world, actor_entity) * actor.model_from_joint[static_cast<std::size_t>(joint)];
  Transform at = decompose(place);
  at.scale = {1, 1, 1};
  target.actor = actor_entity;
  return world.create(Name{"target of " + actor.skeleton().name(joint)}, LocalTransform(at), WorldTransform{place},
                      std::move(target));
}

}  // namespace

FullBodyIk make_full_body_ik(const Skeleton& skeleton) {
  FullBodyIk ik;
  ik.state = make_full_body_ik_state(skeleton);
  ik.goals.reserve(16);
  ik.reference_rotations.resize(static_cast<std::size_t>(skeleton.num_joints()));
  return ik;
}

Result<Entity> add_two_bone_target(ecs::World& world, Entity actor, int end_joint) {
  const Skeleton& skeleton = world.get<Actor>(actor).skeleton();
  if (!has_joint(skeleton, end_joint)) return usage("no such joint for a two-bone target");
  const int mid = skeleton.parent(end_joint), start = mid >= 0 ? skeleton.parent(mid) : kNoJoint;
  if (start < 0) return usage("joint " + skeleton.name(end_joint) + " has no two joints above it that could bend");
  IkTarget target;
  target.two_bone = {.start_joint = start,
                     .mid_joint = mid,
                     .end_joint = end_joint,
                     .mid_axis = bend_axis(skeleton, start, mid, end_joint)};
  return create_target(world, actor, end_joint, std::move(target));
}

Result<Entity> add_fabrik_target(ecs::World& world, Entity actor, int first_joint, int tip_joint) {
  const Skeleton& skeleton = world.get<Actor>(actor).skeleton();
  if (!has_joint(skeleton, first_joint) || !has_joint(skeleton, tip_joint)) return usage("no such joint for a chain");
  IkTarget target;
  target.solver = IkTarget::Solver::kFabrik;
  for (int joint = tip_joint; joint >= 0; joint = skeleton.parent(joint)) {
    target.chain.push_back(joint);
    if (joint == first_joint) break;
  }
  std::reverse(target.chain.begin(), target.chain.end());
  if (target.chain[0] != first_joint || target.chain.size() < 2 || target.chain.size() > kMaxIkChain) {
    return usage("joints " + skeleton.name(first_joint) + " to " + skeleton.name(tip_joint) +
                 " are no chain: the first must be above the second, with at most 64 joints");
  }
  return create_target(world, actor, tip_joint, std::move(target));
}

Result<Entity> add_full_body_target(ecs::World& world, Entity actor, int joint) {
  const Skeleton& skeleton = world.get<Actor>(actor).skeleton();
  if (!has_joint(skeleton, joint)) return usage("no such joint for a full-body target");
  if (!world.has<FullBodyIk>(actor)) world.add(actor, make_full_body_ik(skeleton));
  IkTarget target;
  target.solver = IkTarget::Solver::kFullBody;
  target.joint = joint;
  return create_target(world, actor, joint, std::move(target));
}

void solve_chain_target(IkTarget& target, const Affine& model_from_target, Actor& actor) {
  if (target.solver == IkTarget::Solver::kTwoBone) {
    TwoBoneIkSettings settings = target.two_bone;
    settings.weight *= target.weight;
    TwoBoneIkJob{.skeleton = &actor.skeleton(),
                 .settings = settings,
                 .target_model = model_from_target.t,
                 .pole_model = target.pole_model,
                 .pose = ik_pose(actor.pose),
                 .missing_m = &target.missing_m}
        .run();
  }
  if (target.solver == IkTarget::Solver::kFabrik) {
    const Quat rotation = decompose(model_from_target).rotation;
    FabrikJob{.skeleton = &actor.skeleton(),
              .settings = {.chain = target.chain, .weight = target.weight},
              .target_model = model_from_target.t,
              .pole_model = target.pole_model,
              .tip_rotation_model = target.match_rotation ? &rotation : nullptr,
              .pose = ik_pose(actor.pose),
              .missing_m = &target.missing_m}
        .run();
  }
}

}  // namespace zoe::scene
