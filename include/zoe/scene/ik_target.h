// SPDX-License-Identifier: MIT
// Part of Zoetrope. A target position for a part of an actor. The position is the entity's own transform, so a target
// can be dragged, animated, or attached to something that moves.
#pragma once

#include <vector>

#include "zoe/core/result.h"
#include "zoe/ecs/world.h"
#include "zoe/ik/full_body_ik_job.h"
#include "zoe/ik/two_bone_ik_job.h"
#include "zoe/scene/actor.h"
#include "zoe/scene/transform.h"

namespace zoe::scene {

struct IkTarget {
  enum class Solver : std::uint8_t {
    kTwoBone,   // An arm or a leg: exact.
    kFabrik,    // A chain of joints.
    kFullBody,  // One of several goals that the whole body reaches together; the actor needs FullBodyIk.
  };
  Entity actor;
  Solver solver = Solver::kTwoBone;
  TwoBoneIkSettings two_bone;
  std::vector<int> chain;       // kFabrik: from the fixed joint to the tip.
  int joint = kNoJoint;         // kFullBody.
  float weight = 1;             // 0: no effect, 1: full.
  bool match_rotation = false;  // kFabrik, kFullBody: the joint also takes the target's rotation.
  Vec3 pole_model;              // kTwoBone, kFabrik: direction of the middle joint; zero keeps it.
  float missing_m = 0;          // Out: remaining distance to the target after the last step, at weight one.

  template <typename F>
  friend void visit_entities(IkTarget& target, F&& f) {
    f(target.actor);
  }
};

// Beside Actor: memory of the full-body solver, sized once.
struct FullBodyIk {
  FullBodyIkState state;
  std::vector<IkGoal> goals;          // Of this step.
  std::vector<JointLimit> limits;     // [joints] or empty.
  std::vector<std::uint8_t> movable;  // [joints] or empty: all.
  bool root_moves = true;
  float reference_weight = 0.02F;  // Weight of the clip's pose, against the goals.
  int max_iterations = 10;
  std::vector<Quat> reference_rotations;  // [joints]: the pose before solving.
};
FullBodyIk make_full_body_ik(const Skeleton& skeleton);

// Targets for an actor, created as entities at the joint's present position. Fail (kUsage) on joints that form no limb
// or chain. end_joint is a wrist or ankle; the two joints above it bend.
Result<Entity> add_two_bone_target(ecs::World& world, Entity actor, int end_joint);
// From an ancestor of the tip down to the tip.
Result<Entity> add_fabrik_target(ecs::World& world, Entity actor, int first_joint, int tip_joint);
// Adds FullBodyIk to the actor where it is missing.
Result<Entity> add_full_body_target(ecs::World& world, Entity actor, int joint);

// Bends the actor's pose; model_from_target is in model space. Full-body targets are skipped.
void solve_chain_target(IkTarget& target, const Affine& model_from_target, Actor& actor);

}  // namespace zoe::scene
