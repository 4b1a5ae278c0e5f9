// SPDX-License-Identifier: MIT
// Part of Zoetrope. A place that a part of an actor shall reach. The place is the entity's own transform, so a target can be
// dragged, animated, or hung on something that moves.
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
    kFullBody,  // One of several goals that the whole body meets together; the actor needs FullBodyIk.
  };
  Entity actor;
  Solver solver = Solver::kTwoBone;
  TwoBoneIkSettings two_bone;
  std::vector<int> chain;       // kFabrik: from the fixed joint to the tip.
  int joint = kNoJoint;         // kFullBody.
  float weight = 1;             // 0: none of it, 1: all.
  bool match_rotation = false;  // kFabrik, kFullBody: the joint takes the target's rotation, too.
  Vec3 pole_model;              // kTwoBone, kFabrik: where the middle points; zero leaves it.
  float missing_m = 0;          // Out: what is left to the target after the last step, at weight one.

  template <typename F>
  friend void visit_entities(IkTarget& target, F&& f) {
    f(target.actor);
  }
};

// Beside Actor: what the full-body solver needs, sized once.
struct FullBodyIk {
  FullBodyIkState state;
  std::vector<IkGoal> goals;          // Of this step.
  std::vector<JointLimit> limits;     // [joints] or empty.
  std::vector<std::uint8_t> movable;  // [joints] or empty: all.
  bool root_moves = true;
  float reference_weight = 0.02F;  // Of the pose that the clip has, against the goals.
  int max_iterations = 10;
  std::vector<Quat> reference_rotations;  // [joints]: the pose before solving.
};
FullBodyIk make_full_body_ik(const Skeleton& skeleton);

// Targets for an actor, made as entities where the joint is now. Fail (kUsage) on joints that make no limb or chain.
// end_joint is a wrist or ankle; the two joints above it bend.
Result<Entity> add_two_bone_target(ecs::World& world, Entity actor, int end_joint);
// From an ancestor of the tip down to it.
Result<Entity> add_fabrik_target(ecs::World& world, Entity actor, int first_joint, int tip_joint);
// Gives the actor its FullBodyIk where it has none.
Result<Entity> add_full_body_target(ecs::World& world, Entity actor, int joint);

// Bends the actor's pose; place of the target in model space. Full-body targets are left out.
void solve_chain_target(IkTarget& target, const Affine& model_from_target, Actor& actor);

}  // namespace zoe::scene
