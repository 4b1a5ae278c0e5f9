// SPDX-License-Identifier: MIT
// Part of Zoetrope. One chain, solved on the stack: the state that the steps of FABRIK share.
#pragma once

#include <array>

#include "zoe/ik/fabrik_settings.h"

#include "ik/chain.h"

namespace zoe::ik_detail {

// As FabrikJob has them, checked.
struct FabrikProblem {
  const Skeleton* skeleton = nullptr;
  FabrikSettings settings;
  Vec3 target_model, pole_model;
  std::span<const JointLimit> limits;
  IkPose pose;
};

class FabrikSolver {
 public:
  explicit FabrikSolver(const FabrikProblem& problem) noexcept;

  // The solution is in rotation(). Returns the number of iterations.
  int solve() noexcept;
  float missing_m() const noexcept { return distance(position_[last_], target_); }
  Quat rotation(std::size_t index) const noexcept { return rotation_[index]; }
  // model_from_parent of the tip's parent, after solve().
  Quat tip_parent_rotation() const noexcept { return tip_parent_; }

 private:
  void point_at_goal() noexcept;
  void stretch() noexcept;
  void reach_backward(Vec3 tip) noexcept;
  void reach_forward() noexcept;
  void turn_to_pole() noexcept;
  int solve_free() noexcept;
  int solve_limited() noexcept;
  // Local rotations of the bones from position_. With limits the positions follow the clamped rotations.
  void recover_rotations() noexcept;

  FabrikProblem problem_;
  std::size_t last_;
  Frame base_;  // model_from_parent of the first joint.
  Vec3 target_, goal_;
  float longest_ = 0;
  Quat tip_parent_;
  std::array<Vec3, kMaxIkChain> position_, offset_;  // offset_[i]: of joint i + 1 in the frame of joint i.
  std::array<float, kMaxIkChain> length_{};
  std::array<Quat, kMaxIkChain> rotation_;
};

}  // namespace zoe::ik_detail
