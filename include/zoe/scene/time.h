// SPDX-License-Identifier: MIT
// Part of Zoetrope. Two clocks: fixed steps, on which all results depend, and frames, which only display them.
#pragma once

#include <cstdint>

namespace zoe::scene {

// A resource of the scene's world.
struct Time {
  // Fixed steps.
  double step_s = 1.0 / 60;  // Length of a step, > 0. Constant for the lifetime of a scene.
  std::uint64_t step = 0;    // Number of completed steps; inside a step: its number, from 0.
  double time_s() const { return static_cast<double>(step) * step_s; }

  // Frames.
  double frame_s = 0;  // Real time since the frame before, independent of the scale; also while paused.
  std::uint64_t frame = 0;
  float alpha = 1;  // Fraction of a step between the last two steps for drawing, 0..1.
};

// Converts real time into a number of fixed steps.
class StepClock {
 public:
  explicit StepClock(double step_s, int max_steps_per_frame) : step_s_(step_s), max_steps_(max_steps_per_frame) {}

  // Rate of fixed steps against real time: 1 normal, 0.5 slow motion, 0 stopped. >= 0.
  void set_scale(double scale) { scale_ = scale; }
  double scale() const { return scale_; }
  void set_paused(bool paused) { paused_ = paused; }
  bool paused() const { return paused_; }
  // One more step on the next frame, while paused.
  void request_single_step() { ++single_steps_; }

  // Number of due steps. Where a slow frame makes more than the maximum due, the rest is dropped: a slow machine runs
  // in slow motion instead of falling further and further behind.
  int advance(double real_s);
  std::uint64_t num_dropped() const { return num_dropped_; }
  // Elapsed fraction of the next step, 0..1.
  float alpha() const;

 private:
  double step_s_;
  int max_steps_;
  double scale_ = 1;
  double left_s_ = 0;  // Remaining time, not used by a step.
  bool paused_ = false;
  int single_steps_ = 0;
  std::uint64_t num_dropped_ = 0;
};

}  // namespace zoe::scene
