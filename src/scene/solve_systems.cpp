// SPDX-License-Identifier: MIT
// Targets bend poses, then joint positions are computed.
#include <algorithm>
#include <functional>
#include <vector>

#include "zoe/scene/ik_target.h"

#include "scene/systems.h"

namespace zoe::scene {
namespace {

using ecs::Scope;
using FullBodyScope = Scope<Actor, FullBodyIk, IkTarget, const WorldTransform>;
using ChainScope = Scope<Actor, IkTarget, const WorldTransform>;

// Transform of a target in its actor's model space.
Affine model_from_target(const WorldTransform& actor, const WorldTransform& target) {
  return inverse(actor.world_from_entity) * target.world_from_entity;
}

void gather_goals(FullBodyScope& scope) {
  scope.query<FullBodyIk>().each([](FullBodyIk& ik) { ik.goals.clear(); });
  scope.query<IkTarget, const WorldTransform>().each([&](IkTarget& target, const WorldTransform& place) {
    if (target.solver != IkTarget::Solver::kFullBody || target.weight <= 0) return;
    auto* ik = scope.find<FullBodyIk>(target.actor);
    const auto* actor_place = scope.find<const WorldTransform>(target.actor);
    if (ik == nullptr || actor_place == nullptr) return;  // The actor is gone.
    const Affine goal = model_from_target(*actor_place, place);
    ik->goals.push_back({.joint = target.joint, .target = goal.t, .weight = target.weight});
    if (target.match_rotation) {
      ik->goals.push_back({.kind = IkGoal::Kind::kOrientation,
                           .joint = target.joint,
                           .rotation = decompose(goal).rotation,
                           .weight = target.weight});
    }
  });
}

void solve_full_bodies(FullBodyScope& scope) {
  gather_goals(scope);
  scope.query<Actor, FullBodyIk>().parallel_each(scope.pool(), 1, [](Actor& actor, FullBodyIk& ik) {
    if (ik.goals.empty()) return;
    // Near the pose of the clip, not near the rest pose.
    ik.reference_rotations = actor.pose.rotations;
    FullBodyIkJob{.skeleton = &actor.skeleton(),
                  .goals = ik.goals,
                  .limits = ik.limits,
                  .movable = ik.movable,
                  .reference_rotations = ik.reference_rotations,
                  .reference_weight = ik.reference_weight,
                  .root_moves = ik.root_moves,
                  .max_iterations = ik.max_iterations,
                  .pose = ik_pose(actor.pose),
                  .state = &ik.state}
        .run();
  });
}

// Actors run in parallel. The targets of one, which may bend the same limbs, run one after the other in the order of
// visits. So poses do not depend on the number of threads. Keeps its lists from step to step.
class ChainSolver {
 public:
  void operator()(ChainScope& scope) {
    work_.clear();
    first_of_actor_.clear();
    scope.query<IkTarget, const WorldTransform>().each([&](IkTarget& target, const WorldTransform& place) {
      if (target.solver == IkTarget::Solver::kFullBody || target.weight <= 0) return;
      auto* actor = scope.find<Actor>(target.actor);
      const auto* actor_place = scope.find<const WorldTransform>(target.actor);
      if (actor == nullptr || actor_place == nullptr) return;
      work_.push_back({actor, &target, model_from_target(*actor_place, place), work_.size()});
    });
    std::sort(work_.begin(), work_.end(), [](const Work& a, const Work& b) {
      return a.actor != b.actor ? std::less<>{}(a.actor, b.actor) : a.visit < b.visit;
    });
    for (std::size_t i = 0; i < work_.size(); ++i) {
      if (i == 0 || work_[i].actor != work_[i - 1].actor) first_of_actor_.push_back(i);
    }
    first_of_actor_.push_back(work_.size());
    scope.pool().parallel_for(first_of_actor_.size() - 1, kActorsPerPiece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = first_of_actor_[begin]; i < first_of_actor_[end]; ++i) {
        solve_chain_target(*work_[i].target, work_[i].model_from_target, *work_[i].actor);
      }
    });
  }

 private:
  static constexpr std::size_t kActorsPerPiece = 8;  // A limb takes a fraction of a microsecond.
  struct Work {
    Actor* actor = nullptr;
    IkTarget* target = nullptr;
    Affine model_from_target;
    std::size_t visit = 0;
  };
  std::vector<Work> work_;
  std::vector<std::size_t> first_of_actor_;  // Index in work_, and its end.
};

// The remaining distance of full-body targets is known after joint positions.
void measure_full_bodies(Scope<const Actor, IkTarget, const WorldTransform>& scope) {
  scope.query<IkTarget, const WorldTransform>().each([&](IkTarget& target, const WorldTransform& place) {
    if (target.solver != IkTarget::Solver::kFullBody) return;
    const auto* actor = scope.find<const Actor>(target.actor);
    const auto* actor_place = scope.find<const WorldTransform>(target.actor);
    if (actor == nullptr || actor_place == nullptr) return;
    target.missing_m = distance(actor->model_from_joint[static_cast<std::size_t>(target.joint)].t,
                                model_from_target(*actor_place, place).t);
  });
}

}  // namespace

void add_solve_systems(ecs::Schedule& schedule) {
  schedule.add<Actor, FullBodyIk, IkTarget, const WorldTransform>("full-body targets", solve_full_bodies);
  schedule.add<Actor, IkTarget, const WorldTransform>("chain targets", ChainSolver{});
  schedule.add<Actor>("joints", [](Scope<Actor>& scope) {
    scope.query<Actor>().parallel_each(scope.pool(), 4, [](Actor& actor) { update_joints(actor); });
  });
  schedule.add<const Actor, IkTarget, const WorldTransform>("what targets miss", measure_full_bodies);
}

}  // namespace zoe::scene
