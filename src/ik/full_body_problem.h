// SPDX-License-Identifier: MIT
// Part of Zoetrope. The least squares problem behind FullBodyIkJob: errors of a pose and their derivatives.
//
// Unknowns: the root's translation (columns 0..2), then for every movable joint a rotation vector in model space (three
// columns from state.column[joint] on) that turns the joint and all below it: model' = exp(vector) * model.
#pragma once

#include <span>

#include "zoe/ik/ik_goal.h"
#include "zoe/ik/ik_pose.h"

namespace zoe::ik_detail {

using Mat3d = AffineT<double>;  // Columns; the translation is not used.

// d(rotation vector of q * exp(v)) / dv at v = 0, for the rotation vector r of q: the inverse right Jacobian of SO(3).
Mat3d inverse_right_jacobian(Vec3d r) noexcept;

// As FullBodyIkJob has them, checked.
struct FullBodyInputs {
  const Skeleton* skeleton = nullptr;
  std::span<const IkGoal> goals;
  std::span<const std::uint8_t> movable;
  std::span<const Quat> reference_rotations;
  float reference_weight = 0;
  bool root_moves = true;
  float root_weight = 0;
  IkPose pose;
  FullBodyIkState* state = nullptr;
};
// From a job, whose header is not included here.
template <typename Job>
FullBodyInputs inputs_of(const Job& job) {
  return {job.skeleton,    job.goals, job.movable, job.reference_rotations, job.reference_weight, job.root_moves,
          job.root_weight, job.pose,  job.state};
}

class FullBodyProblem {
 public:
  explicit FullBodyProblem(const FullBodyInputs& inputs) noexcept;

  int num_unknowns() const noexcept { return num_unknowns_; }
  // Model frames of the rotations in state.local and the root's position.
  void update_models(Vec3d root) noexcept;
  double cost(Vec3d root) const noexcept;
  // Normal equations at the current models: state.hessian (full, symmetric) and state.gradient.
  void linearise(Vec3d root) noexcept;

  // The error of one goal, weighted; three numbers.
  Vec3d goal_error(const IkGoal& goal) const noexcept;
  // Its derivative with respect to the rotation vector of `joint`, which is the goal's joint or above it, and to a
  // translation.
  Mat3d goal_by_rotation(const IkGoal& goal, int joint) const noexcept;
  Mat3d goal_by_translation(const IkGoal& goal) const noexcept;

 private:
  Vec3d reference_error(int joint) const noexcept;
  void add_rows(int column_a, const Mat3d& a, int column_b, const Mat3d& b) noexcept;
  void add_gradient(int column, const Mat3d& a, Vec3d error) noexcept;

  FullBodyInputs inputs_;
  FullBodyIkState& state_;
  Vec3d start_root_;
  int num_unknowns_ = 3;
};

}  // namespace zoe::ik_detail
