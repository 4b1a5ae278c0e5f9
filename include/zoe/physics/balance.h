// SPDX-License-Identifier: MIT
// Part of Zoetrope. Balance without assist: offsets of targets that keep a body on its feet, planned a fraction of a
// second ahead. A plan is a Gauss-Newton step over rollouts: each offset of each window is varied by a finite amount,
// and the errors of all later frames are observed. A new plan starts from the real state after each window, so pushes
// are answered too.
//
//   physics::Balancer balancer(model, clip, {.horizon_frames = 36}, 0);
//   for (int frame = 1; frame < clip.num_frames; ++frame)
//     state.tick(clip.frame(frame), {.offsets_rad = balancer.offsets(state, frame)});
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/motion/motion.h"
#include "zoe/physics/body_model.h"

namespace zoe::physics {

struct BalanceOptions {
  int horizon_frames = 0;  // How far a plan looks ahead; 0: no balance. 36 frames, 0.6 s, are a good value.
  int window_frames = 4;   // Offsets are constant for this time; then a new plan starts from the real state.
  int most_rounds = 3;     // A plan that is still bad after a step is improved again, up to this number of steps.
  // A plan whose loss per frame is below this is followed for another window as it is. Most of the time goes into
  // improvements. 0: every plan is improved.
  double good_enough = 0.2;
  int steps_per_frame = 0;  // Of the simulation of plans; 0: as the body's.
};

// Sized once; offsets() never allocates.
class Balancer {
 public:
  // targets: at the tick rate; they outlive the balancer.
  Balancer(BodyModelPtr model, const Motion& targets, const BalanceOptions& options, double assist_n);

  // [bones] Offsets for the tick to targets.frame(frame), from the state before it. Frames rise by one.
  std::span<const Vec3d> offsets(const BodyState& state, int frame);
  std::int64_t num_ticks() const { return num_ticks_; }  // Simulated so far, all for plans.

 private:
  void plan(const BodyState& state, int frame);
  void differentiate(std::span<double> controls, int round);
  void improve(std::span<double> controls, double cost);
  // Simulates from starts_[window] to the end of the horizon; returns the loss of these frames.
  double roll_out(std::size_t window, std::span<const double> controls, std::span<double> residuals, bool keeps_starts);
  // error: of the centre of mass a tick before.
  void read_residuals(const BodyState& state, Vec3d error, std::span<double> out) const;
  void write_offsets(std::span<const double> controls);
  std::size_t first_row(std::size_t window) const { return window * window_frames_ * num_residuals_; }

  BodyModelPtr model_;
  const Motion& targets_;
  BalanceOptions options_;
  double assist_n_ = 0;
  std::vector<int> bones_;         // Whose targets have offsets.
  std::size_t window_frames_ = 0;  // Frames of a window.
  std::size_t num_controls_ = 0;   // Of a window: three per bone.
  std::size_t num_residuals_ = 0;  // Of a frame.
  std::size_t num_windows_ = 0;    // Of the current horizon, the last may be shorter.
  int first_ = 0, end_ = 0;        // Frames of the current plan.
  double damping_ = 0.1;           // Relative, of Levenberg and Marquardt.
  BodyState trial_;
  std::vector<BodyState> starts_;                // [windows] States before them, as planned.
  std::vector<double> controls_, tried_, best_;  // [windows × controls]
  std::vector<double> nominal_, varied_;         // [frames × residuals]
  std::vector<double> jacobian_;                 // [windows × controls][frames × residuals]
  std::vector<double> hessian_, factor_, gradient_, step_;
  std::vector<Vec3d> offsets_;
  std::int64_t num_ticks_ = 0;
};

}  // namespace zoe::physics
