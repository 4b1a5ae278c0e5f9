// SPDX-License-Identifier: MIT
#include "ik/fabrik_solver.h"

#include <algorithm>

#include "ik/ccd_chain.h"
#include "ik/fabrik_kernels.h"

namespace zoe::ik_detail {
namespace {

Vec3 at_distance(Vec3 from, Vec3 to, float distance) { return from + normalized(to - from) * distance; }
// A chain counts as straight when its joints are off its line by less than this fraction (squared) of its slack.
constexpr float kStraight = 0.04F;

Vec3 across(Vec3 v, Vec3 line) { return v - line * dot(v, line); }

}  // namespace

FabrikSolver::FabrikSolver(const FabrikProblem& problem) noexcept
    : problem_(problem), last_(problem.settings.chain.size() - 1), target_(problem.target_model) {
  const std::span<const int> chain = problem.settings.chain;
  base_ = ancestor_from(*problem.skeleton, problem.pose, kNoJoint, problem.skeleton->parent(chain[0]));
  Frame frame = base_ * local_frame(problem.pose, chain[0]);
  position_[0] = frame.position;
  for (std::size_t i = 0; i < last_; ++i) {
    rotation_[i] = local_frame(problem.pose, chain[i]).rotation;
    const Frame local = local_frame(problem.pose, chain[i + 1]);
    offset_[i] = local.position;
    length_[i] = length(offset_[i]);
    longest_ += length_[i];
    frame = frame * local;
    position_[i + 1] = frame.position;
  }
  const Vec3 away = target_ - position_[0];
  goal_ = position_[0] + away * std::min(1.0F, longest_ / std::max(length(away), 1e-20F));
}

void FabrikSolver::point_at_goal() noexcept {
  const Vec3 root = position_[0], to = normalized(goal_ - root);
  const Quat turn = arc(normalized(position_[last_] - root, to), to);
  float bulge = 0;
  for (std::size_t i = 1; i <= last_; ++i) {
    const Vec3 d = rotate(turn, position_[i] - root), off = across(d, to);
    bulge = std::max(bulge, dot(off, off));
    position_[i] = root + d;
  }
  // Reaching hardly leaves a line: a nearly straight chain becomes a triangle of about its length.
  const float reach = distance(goal_, root);
  const float height = 0.5F * std::sqrt(std::max(longest_ * longest_ - reach * reach, 0.0F));
  if (bulge >= kStraight * height * height) return;
  const Vec3 any = normalized(cross(to, std::abs(to.x) < 0.7F ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
  const Vec3 pole_side = across(problem_.pole_model, to);
  const Vec3 side = dot(pole_side, pole_side) < 1e-12F ? any : normalized(pole_side);
  float along = 0;
  for (std::size_t i = 1; i < last_; ++i) {
    along += length_[i - 1];
    const float share = along / longest_;
    position_[i] = root + to * (reach * share) + side * (2 * height * std::min(share, 1 - share));
  }
}

void FabrikSolver::stretch() noexcept {
  const Vec3 direction = normalized(target_ - position_[0]);
  for (std::size_t i = 0; i < last_; ++i) position_[i + 1] = position_[i] + direction * length_[i];
}

void FabrikSolver::reach_backward(Vec3 tip) noexcept {
  position_[last_] = tip;
  for (std::size_t i = last_; i-- > 1;) position_[i] = at_distance(position_[i + 1], position_[i], length_[i]);
}

void FabrikSolver::reach_forward() noexcept {
  for (std::size_t i = 0; i < last_; ++i) position_[i + 1] = at_distance(position_[i], position_[i + 1], length_[i]);
}

void FabrikSolver::turn_to_pole() noexcept {
  if (last_ < 2) return;
  const Vec3 root = position_[0], line = normalized(position_[last_] - root);
  Vec3 mean;
  for (std::size_t i = 1; i < last_; ++i) mean += position_[i] - root;
  const Vec3 side = across(mean, line), wanted = across(problem_.pole_model, line);
  if (std::min(dot(side, side), dot(wanted, wanted)) < 1e-12F) return;
  const float angle = std::atan2(dot(cross(side, wanted), line), dot(side, wanted));
  const Quat turn = from_axis_angle(line, angle * problem_.settings.pole_weight);
  for (std::size_t i = 1; i < last_; ++i) position_[i] = root + rotate(turn, position_[i] - root);
}

void FabrikSolver::recover_rotations() noexcept {
  Quat parent = base_.rotation;
  for (std::size_t i = 0; i < last_; ++i) {
    const int joint = problem_.settings.chain[i];
    const Quat current = problem_.pose.rotations[static_cast<std::size_t>(joint)];
    const Vec3 wanted = normalized(rotate(conjugate(parent), position_[i + 1] - position_[i]));
    rotation_[i] = current;  // A bone without length has no direction: its rotation stays.
    if (length_[i] > 1e-9F && dot(wanted, wanted) > 0.5F) {
      rotation_[i] = aim_bone(problem_.skeleton->rest_local(joint).rotation, current, normalized(offset_[i]), wanted);
    }
    if (const JointLimit* limit = limit_at(problem_.limits, i)) rotation_[i] = clamp_to_limit(*limit, rotation_[i]);
    parent = normalized(parent * rotation_[i]);
    if (!problem_.limits.empty()) position_[i + 1] = position_[i] + rotate(parent, offset_[i]);
  }
  tip_parent_ = parent;
}

int FabrikSolver::solve_free() noexcept {
  int iteration = 0;
  if (distance(target_, position_[0]) >= longest_) {
    stretch();
  } else {
    point_at_goal();
    // Near full stretch, or folded, a round removes only a small fraction of the error. A secant estimate of that
    // fraction gives how far beyond the goal to aim, so that the next round removes all of it.
    Vec3 last_left;
    float gain = 1;
    for (; iteration < problem_.settings.max_iterations; ++iteration) {
      // The first round always counts: it restores the lengths of the bones after point_at_goal.
      const Vec3 left = goal_ - position_[last_];
      if (iteration > 0 && length(left) <= problem_.settings.tolerance_m) break;
      const float before = dot(last_left, last_left);
      gain = before < 1e-20F
                 ? 1.0F
                 : std::clamp(gain / std::max(1 - dot(left, last_left) / before, 0.1F), 1.0F, kernels::kMaxFabrikGain);
      const float farthest = kernels::kMaxFabrikOvershoot * longest_ / std::max(length(left), 1e-20F);
      reach_backward(iteration == 0 ? goal_ : goal_ + left * std::min(gain - 1, farthest));
      reach_forward();
      if (iteration > 0) last_left = left;
    }
  }
  turn_to_pole();
  recover_rotations();
  return iteration;
}

int FabrikSolver::solve_limited() noexcept {
  // The forward pass consists of rotations clamped to their limits. Aimed bones keep their twist, so a hinge below them
  // may have the wrong axis. When rounds stop helping, joints are turned one by one instead, which twists them too.
  const FabrikSettings& settings = problem_.settings;
  point_at_goal();
  CcdChain best;
  best.base = base_;
  best.last = last_;
  float best_error = -1;
  int iteration = 0;
  while (iteration < settings.max_iterations) {
    reach_backward(goal_);
    turn_to_pole();
    recover_rotations();
    ++iteration;
    const float error = distance(position_[last_], goal_), before = best_error;
    if (before < 0 || error < before) {
      best_error = error;
      for (std::size_t i = 0; i <= last_; ++i) best.local[i] = {rotation_[i], i == 0 ? Vec3{} : offset_[i - 1]};
    }
    if (best_error <= settings.tolerance_m || (before >= 0 && error > 0.9F * before)) break;
  }
  best.local[0].position = rotate(conjugate(base_.rotation), position_[0] - base_.position);
  best.update_from(0);
  constexpr float kMaxStepRad = 0.5F;
  iteration +=
      best.solve(goal_, problem_.limits, settings.tolerance_m, settings.max_iterations - iteration, kMaxStepRad);
  for (std::size_t i = 0; i < last_; ++i) rotation_[i] = best.local[i].rotation;
  position_[last_] = best.tip();
  tip_parent_ = best.model[last_ - 1].rotation;
  return iteration;
}

int FabrikSolver::solve() noexcept { return problem_.limits.empty() ? solve_free() : solve_limited(); }

}  // namespace zoe::ik_detail
