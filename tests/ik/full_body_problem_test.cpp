// SPDX-License-Identifier: MIT
#include "ik/full_body_problem.h"

#include <gtest/gtest.h>

#include "zoe/ik/full_body_ik_job.h"

#include "character/random_character.h"

namespace zoe {
namespace {

using ik_detail::FullBodyProblem;
using test::RandomCharacter;

// A random body with goals of every kind on random joints, away from all targets.
struct RandomProblem {
  SkeletonPtr skeleton;
  Pose pose;
  std::vector<IkGoal> goals;
  std::vector<std::uint8_t> movable;
  FullBodyIkState state;
  FullBodyIkJob job;

  explicit RandomProblem(unsigned seed) {
    RandomCharacter random(seed);
    std::vector<JointDesc> joints;
    for (int i = 0; i < 9; ++i) {
      joints.push_back(
          {"j", i == 0 ? kNoJoint : random.whole(std::max(0, i - 3), i - 1), {random.vec(0.3F), random.quat()}});
    }
    skeleton = Skeleton::create(std::move(joints)).value();
    pose = random.pose(*skeleton, false);
    for (int i = 0; i < 6; ++i) {
      const auto kind = static_cast<IkGoal::Kind>(i % 3);
      const Vec3 offset = kind == IkGoal::Kind::kLookAt ? normalized(random.vec(1)) : random.vec(0.2F);
      goals.push_back({kind, random.whole(1, 8), random.vec(1), random.quat(), offset, random.number(0.5F, 2)});
    }
    movable.assign(9, 1);
    movable[3] = 0;
    state = make_full_body_ik_state(*skeleton);
    job = {.skeleton = skeleton.get(),
           .goals = goals,
           .movable = movable,
           .reference_weight = 0.3F,
           .root_weight = 0.2F,
           .pose = ik_pose(pose),
           .state = &state};
  }
};

// The pose after a small change of one unknown, as the solver applies it.
Quatd turned(const FullBodyIkState& state, std::size_t joint, Vec3d v) {
  const Quatd model = state.model_rotation[joint];
  return state.local[joint] * conjugate(model) * from_rotation_vector(v) * model;
}

TEST(FullBodyProblem, GradientEqualsFiniteDifferences) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomProblem setup(seed);
    FullBodyProblem problem(ik_detail::inputs_of(setup.job));
    const Vec3d root = to_double(setup.pose.translations[0]) + Vec3d{0.1, -0.2, 0.05};
    problem.update_models(root);
    problem.linearise(root);
    const std::vector<double> gradient = setup.state.gradient;
    constexpr double kStep = 1e-6;
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3d ahead = root, behind = root;
      ahead[k] += kStep;
      behind[k] -= kStep;
      problem.update_models(ahead);
      const double high = problem.cost(ahead);
      problem.update_models(behind);
      EXPECT_NEAR((high - problem.cost(behind)) / (2 * kStep), gradient[k], 1e-5) << seed << " root " << k;
      problem.update_models(root);
    }
    for (std::size_t joint = 0; joint < 9; ++joint) {
      if (setup.state.column[joint] < 0) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        Vec3d v;
        v[k] = kStep;
        const Quatd before = setup.state.local[joint], ahead = turned(setup.state, joint, v),
                    behind = turned(setup.state, joint, v * -1.0);
        setup.state.local[joint] = ahead;
        problem.update_models(root);
        const double high = problem.cost(root);
        setup.state.local[joint] = behind;
        problem.update_models(root);
        const double slope = (high - problem.cost(root)) / (2 * kStep);
        EXPECT_NEAR(slope, gradient[static_cast<std::size_t>(setup.state.column[joint]) + k], 1e-5)
            << seed << " " << joint;
        setup.state.local[joint] = before;
        problem.update_models(root);
      }
    }
  }
}

TEST(FullBodyProblem, EveryGoalsJacobianEqualsFiniteDifferences) {
  RandomProblem setup(77);
  FullBodyProblem problem(ik_detail::inputs_of(setup.job));
  const Vec3d root = to_double(setup.pose.translations[0]);
  problem.update_models(root);
  constexpr double kStep = 1e-6;
  for (const IkGoal& goal : setup.goals) {
    for (int joint = goal.joint; joint != kNoJoint; joint = setup.skeleton->parent(joint)) {
      const ik_detail::Mat3d jacobian = problem.goal_by_rotation(goal, joint);
      const Vec3d columns[3] = {jacobian.x, jacobian.y, jacobian.z};
      for (std::size_t k = 0; k < 3; ++k) {
        Vec3d v;
        v[k] = kStep;
        Quatd& local = setup.state.local[static_cast<std::size_t>(joint)];
        const Quatd before = local, ahead = turned(setup.state, static_cast<std::size_t>(joint), v),
                    behind = turned(setup.state, static_cast<std::size_t>(joint), v * -1.0);
        local = ahead;
        problem.update_models(root);
        const Vec3d high = problem.goal_error(goal);
        local = behind;
        problem.update_models(root);
        const Vec3d slope = (high - problem.goal_error(goal)) / (2 * kStep);
        EXPECT_LT(distance(slope, columns[k]), 1e-6) << static_cast<int>(goal.kind) << " " << joint;
        local = before;
        problem.update_models(root);
      }
    }
  }
}

}  // namespace
}  // namespace zoe
