// SPDX-License-Identifier: MIT
#include "zoe/ik/full_body_ik_job.h"

#include <algorithm>

#include "ik/chain.h"
#include "ik/full_body_problem.h"

namespace zoe {
namespace {

using ik_detail::FullBodyProblem;

// Solves (H + damping * diagonal) x = -g by Cholesky. False when the matrix is not positive definite.
bool solve_damped(FullBodyIkState& state, std::size_t n, double damping) {
  std::vector<double>&l = state.factor, &x = state.step;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      double value = state.hessian[row * n + column];
      if (row == column) value += damping * (value + 1e-3);
      for (std::size_t k = 0; k < column; ++k) value -= l[row * n + k] * l[column * n + k];
      if (row == column && !(value > 1e-14)) return false;
      l[row * n + column] = row == column ? std::sqrt(value) : value / l[column * n + column];
    }
  }
  for (std::size_t row = 0; row < n; ++row) {
    double value = -state.gradient[row];
    for (std::size_t k = 0; k < row; ++k) value -= l[row * n + k] * x[k];
    x[row] = value / l[row * n + row];
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) x[row] -= l[k * n + row] * x[k];
    x[row] /= l[row * n + row];
  }
  return true;
}

// Turns every movable joint by its part of the step and clamps it to its limit: state.trial from state.local.
void apply_step(const FullBodyIkJob& job, FullBodyIkState& state) {
  for (std::size_t joint = 0; joint < state.local.size(); ++joint) {
    state.trial[joint] = state.local[joint];
    if (state.column[joint] < 0) continue;
    const double* s = state.step.data() + state.column[joint];
    Vec3d v{s[0], s[1], s[2]};
    constexpr double kMaxTurnRad = 1;  // Beyond this the linear model is invalid.
    if (length(v) > kMaxTurnRad) v *= kMaxTurnRad / length(v);
    const Quatd model = state.model_rotation[joint];
    state.trial[joint] = normalized(state.local[joint] * conjugate(model) * from_rotation_vector(v) * model);
    if (!job.limits.empty() && job.limits[joint].kind != JointLimit::Kind::kFree) {
      state.trial[joint] = to_double(clamp_to_limit(job.limits[joint], to_float(state.trial[joint])));
    }
  }
}

}  // namespace

FullBodyIkState make_full_body_ik_state(const Skeleton& skeleton) {
  const auto joints = static_cast<std::size_t>(skeleton.num_joints()), n = 3 + 3 * joints;
  FullBodyIkState state;
  state.local.resize(joints);
  state.trial.resize(joints);
  state.model_rotation.resize(joints);
  state.model_position.resize(joints);
  state.column.resize(joints);
  state.hessian.resize(n * n);
  state.factor.resize(n * n);
  state.gradient.resize(n);
  state.step.resize(n);
  return state;
}

const char* FullBodyIkJob::validate() const noexcept {
  if (const char* why = ik_detail::check_pose(skeleton, pose)) return why;
  const auto n = static_cast<std::size_t>(skeleton->num_joints());
  if (n == 0) return "skeleton has no joints";
  if (state == nullptr) return "state is missing";
  if (state->local.size() != n || state->hessian.size() != (3 + 3 * n) * (3 + 3 * n)) {
    return "state was made for another skeleton";
  }
  for (const IkGoal& goal : goals) {
    if (goal.joint < 0 || goal.joint >= skeleton->num_joints()) return "goals: a joint that the skeleton does not have";
    if (!(goal.weight >= 0)) return "goals: a negative weight";
    if (!is_finite(goal.target) || !is_finite(goal.rotation) || !is_finite(goal.offset)) return "goals: not finite";
  }
  if (const char* why = ik_detail::check_limits(limits, n)) return why;
  if (!movable.empty() && movable.size() != n) return "movable is neither empty nor one entry per joint";
  if (!reference_rotations.empty() && reference_rotations.size() != n) {
    return "reference_rotations is neither empty nor one entry per joint";
  }
  if (!(reference_weight >= 0)) return "reference_weight is negative";
  if (!(root_weight >= 0)) return "root_weight is negative";
  if (max_iterations < 1) return "max_iterations is below one";
  if (!(tolerance >= 0)) return "tolerance is negative";
  return nullptr;
}

bool FullBodyIkJob::run() const noexcept {
  if (validate() != nullptr) return false;
  FullBodyProblem problem(ik_detail::inputs_of(*this));
  const auto n = static_cast<std::size_t>(problem.num_unknowns());
  Vec3d root = to_double(pose.translations[0]);
  // Begin within the limits: a step of zero clamps every joint.
  problem.update_models(root);
  std::fill_n(state->step.begin(), n, 0.0);
  apply_step(*this, *state);
  state->local.swap(state->trial);
  problem.update_models(root);

  double current = problem.cost(root), damping = 1e-3;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    problem.linearise(root);
    bool better = false;
    double gained = 0;
    for (int attempt = 0; attempt < 10 && !better; ++attempt) {
      if (solve_damped(*state, n, damping)) {
        apply_step(*this, *state);
        const Vec3d moved = root_moves ? root + Vec3d{state->step[0], state->step[1], state->step[2]} : root;
        state->local.swap(state->trial);
        problem.update_models(moved);
        const double cost_there = problem.cost(moved);
        if (cost_there < current) {
          gained = current - cost_there;
          better = true;
          root = moved;
          current = cost_there;
        } else {
          state->local.swap(state->trial);
          problem.update_models(root);
        }
      }
      damping = better ? std::max(damping * 0.2, 1e-9) : std::min(damping * 5, 1e9);
    }
    if (!better || gained <= tolerance * current) break;
  }
  for (std::size_t joint = 0; joint < state->local.size(); ++joint) {
    if (state->column[joint] >= 0) pose.rotations[joint] = to_float(state->local[joint]);
  }
  if (root_moves) pose.translations[0] = to_float(root);
  if (cost != nullptr) *cost = current;
  return true;
}

}  // namespace zoe
