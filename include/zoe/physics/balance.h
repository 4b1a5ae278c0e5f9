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

#include "zoe/core/executor.h"
#include "zoe/core/index.h"
#include "zoe/motion/motion.h"
#include "zoe/physics/body_model.h"

namespace zoe::physics {

// An angle that plans choose: the target of a bone is turned about this axis, a unit vector of the bone's frame.
struct BalanceControl {
  int bone = 0;
  Vec3d axis;
};

// Legs, feet and waist. First bones of legs and the waist turn about three axes. Bones in the middle of a leg turn
// about the axis in which the leg bends in the targets, feet about two axes across the shank. A body without legs has
// none.
std::vector<BalanceControl> balance_controls(const BodyModel& model, const Motion& targets);

struct BalanceOptions {
  // How far a plan looks ahead; 0: no balance. usual_horizon_frames() is a good value.
  int horizon_frames = 0;
  // A plan is followed for this time; then a new one starts from the real state. 0: usual_window_frames().
  int window_frames = 0;
  int most_rounds = 3;  // A plan that is still bad after a step is improved again, up to this number of steps.
  // A plan whose loss per frame is below this is followed for another window as it is. Most of the time goes into
  // improvements. 0: every plan is improved.
  double good_enough = 0.2;
  int steps_per_frame = 0;       // Of the simulation of plans; 0: as the body's.
  Executor* executor = nullptr;  // Simulates variations at the same time; null: one after the other. Same bits.
};

// Times of plans: 36 and 4 frames of 1/60 s for a person whose root is 0.95 m above the ground. Small bodies fall
// faster: times are as the root of heights. 25 and 3 for a dog.
int usual_horizon_frames(const BodyModel& model);
int usual_window_frames(const BodyModel& model);

// Sized once; offsets() never allocates.
class Balancer {
 public:
  // targets: at the tick rate; they outlive the balancer, as the executor does.
  Balancer(BodyModelPtr model, const Motion& targets, const BalanceOptions& options, double assist_n);

  // [bones] Offsets for the tick to targets.frame(frame), from the state before it. Frames rise by one.
  std::span<const Vec3d> offsets(const BodyState& state, int frame);
  std::int64_t num_ticks() const { return num_ticks_; }  // Simulated so far, all for plans.

 private:
  // Scratch of one rollout. Lanes roll out at the same time.
  struct Lane {
    BodyState trial;
    std::vector<Vec3d> offsets;     // [bones]
    std::vector<double> residuals;  // [frames × residuals]
    std::vector<double> varied;     // [windows × controls]
    std::int64_t num_ticks = 0;
  };

  void plan(const BodyState& state, int frame);
  void differentiate(int round);
  bool improve(double loss);
  // Simulates from starts_[window] to the end of the horizon with `change` added to the plan; returns the loss.
  double roll_out(std::size_t window, std::span<const double> change, Lane& lane, bool keeps_starts);
  // error: of the centre of mass a tick before.
  void read_residuals(const BodyState& state, Vec3d error, std::span<double> out) const;
  void write_offsets(std::size_t frame, std::span<const double> change, std::span<Vec3d> out) const;
  double effort(std::span<const double> change) const;
  std::size_t first_row(std::size_t window) const { return idx(window_begin_[window]) * num_residuals_; }
  std::size_t num_unknowns() const { return num_windows_ * controls_.size(); }
  std::size_t window_end(std::size_t window) const;

  BodyModelPtr model_;
  const Motion& targets_;
  BalanceOptions options_;
  double assist_n_ = 0;
  std::vector<BalanceControl> controls_;  // Of a window.
  std::size_t num_residuals_ = 0;         // Of a frame.
  std::vector<int> window_begin_;         // [windows + 1] Frames after the start of a plan. Later windows are longer.
  std::size_t num_windows_ = 0;           // Of the current horizon, the last may be shorter.
  int first_ = 0, end_ = 0;               // Frames of the current plan.
  double damping_ = 0.1;                  // Relative, of Levenberg and Marquardt.
  std::vector<BodyState> starts_;         // [windows] States before them, as planned.
  std::vector<Lane> lanes_;
  std::vector<double> planned_;                // [frames × controls] Angles, from frame first_ on.
  std::vector<double> change_, tried_, best_;  // [windows × controls] Added to the angles of a window.
  std::vector<double> nominal_;                // [frames × residuals]
  std::vector<double> jacobian_;               // [windows × controls][frames × residuals]
  std::vector<double> hessian_, factor_, gradient_, step_;
  std::vector<Vec3d> offsets_;
  std::int64_t num_ticks_ = 0;
};

}  // namespace zoe::physics
