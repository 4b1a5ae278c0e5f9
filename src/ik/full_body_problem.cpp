// SPDX-License-Identifier: MIT
#include "ik/full_body_problem.h"

#include <algorithm>

#include "zoe/core/index.h"

namespace zoe::ik_detail {
namespace {

// The matrix of v -> a × v.
Mat3d cross_matrix(Vec3d a) { return {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}, {}}; }
Mat3d scaled(const Mat3d& m, double s) { return {m.x * s, m.y * s, m.z * s, {}}; }
Mat3d sum(const Mat3d& a, const Mat3d& b) { return {a.x + b.x, a.y + b.y, a.z + b.z, {}}; }

}  // namespace

Mat3d inverse_right_jacobian(Vec3d r) noexcept {
  const double angle = length(r);
  // 1/a^2 - (1 + cos a) / (2 a sin a), which tends to 1/12.
  const double k =
      angle < 1e-3 ? 1.0 / 12 : 1 / (angle * angle) - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
  const Mat3d skew = cross_matrix(r);
  return sum(Mat3d{}, sum(scaled(skew, 0.5), scaled(skew * skew, k)));
}

FullBodyProblem::FullBodyProblem(const FullBodyInputs& inputs) noexcept
    : inputs_(inputs), state_(*inputs.state), start_root_(to_double(inputs.pose.translations[0])) {
  for (int joint = 0; joint < inputs.skeleton->num_joints(); ++joint) {
    const bool moves = inputs.movable.empty() || inputs.movable[idx(joint)] != 0;
    state_.column[idx(joint)] = moves ? num_unknowns_ : -1;
    if (moves) num_unknowns_ += 3;
    state_.local[idx(joint)] = to_double(inputs.pose.rotations[idx(joint)]);
  }
}

void FullBodyProblem::update_models(Vec3d root) noexcept {
  for (int joint = 0; joint < inputs_.skeleton->num_joints(); ++joint) {
    const int parent = inputs_.skeleton->parent(joint);
    const Vec3d translation = joint == 0 ? root : to_double(inputs_.pose.translations[idx(joint)]);
    const Quatd local = state_.local[idx(joint)];
    if (parent == kNoJoint) {
      state_.model_rotation[idx(joint)] = local;
      state_.model_position[idx(joint)] = translation;
      continue;
    }
    const Quatd above = state_.model_rotation[idx(parent)];
    state_.model_rotation[idx(joint)] = normalized(above * local);
    state_.model_position[idx(joint)] = state_.model_position[idx(parent)] + rotate(above, translation);
  }
}

Vec3d FullBodyProblem::goal_error(const IkGoal& goal) const noexcept {
  const Quatd rotation = state_.model_rotation[idx(goal.joint)];
  const Vec3d position = state_.model_position[idx(goal.joint)], arm = rotate(rotation, to_double(goal.offset));
  switch (goal.kind) {
    case IkGoal::Kind::kPosition:
      return (position + arm - to_double(goal.target)) * goal.weight;
    case IkGoal::Kind::kOrientation:
      return to_rotation_vector(to_double(goal.rotation) * conjugate(rotation)) * double(goal.weight);
    case IkGoal::Kind::kLookAt:
      break;
  }
  return (arm - normalized(to_double(goal.target) - position)) * goal.weight;
}

Mat3d FullBodyProblem::goal_by_translation(const IkGoal& goal) const noexcept {
  if (goal.kind == IkGoal::Kind::kPosition) return scaled(Mat3d{}, goal.weight);
  if (goal.kind == IkGoal::Kind::kOrientation) return scaled(Mat3d{}, 0);
  // -d(direction to the target): (1 - d d^T) / distance.
  const Vec3d to = to_double(goal.target) - state_.model_position[idx(goal.joint)];
  const Vec3d d = normalized(to);
  const double s = goal.weight / std::max(length(to), 1e-9);
  return scaled({Vec3d{1, 0, 0} - d * d.x, Vec3d{0, 1, 0} - d * d.y, Vec3d{0, 0, 1} - d * d.z, {}}, s);
}

Mat3d FullBodyProblem::goal_by_rotation(const IkGoal& goal, int joint) const noexcept {
  const Quatd rotation = state_.model_rotation[idx(goal.joint)];
  const Vec3d position = state_.model_position[idx(goal.joint)], arm = rotate(rotation, to_double(goal.offset));
  const Vec3d pivot = state_.model_position[idx(joint)];
  switch (goal.kind) {
    case IkGoal::Kind::kPosition:
      return scaled(cross_matrix(position + arm - pivot), -double(goal.weight));
    case IkGoal::Kind::kOrientation: {
      // goal * (exp(v) q)^-1 = (goal q^-1) exp(-v).
      const Vec3d left = to_rotation_vector(to_double(goal.rotation) * conjugate(rotation));
      return scaled(inverse_right_jacobian(left), -double(goal.weight));
    }
    case IkGoal::Kind::kLookAt:
      break;
  }
  return sum(scaled(cross_matrix(arm), -double(goal.weight)),
             goal_by_translation(goal) * scaled(cross_matrix(position - pivot), -1));
}

Vec3d FullBodyProblem::reference_error(int joint) const noexcept {
  const Quat reference = inputs_.reference_rotations.empty() ? inputs_.skeleton->rest_local(joint).rotation
                                                             : inputs_.reference_rotations[idx(joint)];
  return to_rotation_vector(conjugate(to_double(reference)) * state_.local[idx(joint)]);
}

double FullBodyProblem::cost(Vec3d root) const noexcept {
  double total = 0;
  for (const IkGoal& goal : inputs_.goals) {
    const Vec3d e = goal_error(goal);
    total += dot(e, e);
  }
  const double w = inputs_.reference_weight;
  for (int joint = 0; joint < inputs_.skeleton->num_joints() && w > 0; ++joint) {
    if (state_.column[idx(joint)] < 0) continue;
    const Vec3d e = reference_error(joint) * w;
    total += dot(e, e);
  }
  const Vec3d moved = (root - start_root_) * inputs_.root_weight;
  return 0.5 * (total + dot(moved, moved));
}

void FullBodyProblem::add_rows(int column_a, const Mat3d& a, int column_b, const Mat3d& b) noexcept {
  const Vec3d rows_a[3] = {a.x, a.y, a.z}, rows_b[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      state_.hessian[idx((column_a + i) * num_unknowns_ + column_b + j)] += dot(rows_a[i], rows_b[j]);
    }
  }
}

void FullBodyProblem::add_gradient(int column, const Mat3d& a, Vec3d error) noexcept {
  state_.gradient[idx(column)] += dot(a.x, error);
  state_.gradient[idx(column + 1)] += dot(a.y, error);
  state_.gradient[idx(column + 2)] += dot(a.z, error);
}

void FullBodyProblem::linearise(Vec3d root) noexcept {
  const std::size_t n = idx(num_unknowns_);
  std::fill_n(state_.hessian.begin(), n * n, 0.0);
  std::fill_n(state_.gradient.begin(), n, 0.0);
  for (const IkGoal& goal : inputs_.goals) {
    const Vec3d error = goal_error(goal);
    // Only the goal's joint and its ancestors matter: the other columns are zero.
    const auto with_all = [&](int column, const Mat3d& a) {
      if (inputs_.root_moves) add_rows(column, a, 0, goal_by_translation(goal));
      for (int other = goal.joint; other != kNoJoint; other = inputs_.skeleton->parent(other)) {
        const int other_column = state_.column[idx(other)];
        if (other_column >= 0) add_rows(column, a, other_column, goal_by_rotation(goal, other));
      }
      add_gradient(column, a, error);
    };
    if (inputs_.root_moves) with_all(0, goal_by_translation(goal));
    for (int joint = goal.joint; joint != kNoJoint; joint = inputs_.skeleton->parent(joint)) {
      if (state_.column[idx(joint)] >= 0) with_all(state_.column[idx(joint)], goal_by_rotation(goal, joint));
    }
  }
  const double w = inputs_.reference_weight;
  for (int joint = 0; joint < inputs_.skeleton->num_joints() && w > 0; ++joint) {
    const int column = state_.column[idx(joint)];
    if (column < 0) continue;
    // local' = local * exp(R^T v), R the joint's model rotation.
    const Vec3d error = reference_error(joint);
    const Mat3d joint_from_model = to_affine(conjugate(state_.model_rotation[idx(joint)]));
    const Mat3d jacobian = scaled(inverse_right_jacobian(error) * joint_from_model, w);
    add_rows(column, jacobian, column, jacobian);
    add_gradient(column, jacobian, error * w);
  }
  const Mat3d root_rows = scaled(Mat3d{}, inputs_.root_weight);
  add_rows(0, root_rows, 0, root_rows);
  add_gradient(0, root_rows, (root - start_root_) * inputs_.root_weight);
}

}  // namespace zoe::ik_detail
