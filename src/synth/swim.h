// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bodies in water: a wave travels along the body and grows towards the tail.
#pragma once

#include <optional>

#include "synth/action.h"
#include "synth/curve.h"
#include "synth/life.h"

namespace zoe::synth {

// Sideways (dolphins: vertical) displacement a(x) sin(2π (x L / λ - beats)) of the middle line, x from nose to tail. a
// grows as 0.02 - 0.0825 x + 0.1625 x² body lengths for fish that swim with the tail (Videler and Hess, 1984), and as
// an exponential for eels. Beats follow from speed at a Strouhal number of 0.3 (Triantafyllou et al., 1993).
class SwimAnimator {
 public:
  SwimAnimator(const Body& body, const ClipRequest& request, Random random);
  Clip run();

 private:
  struct State {       // State at a frame.
    float arc_m = 0;   // Distance travelled.
    float beats = 0;   // Beats of the tail.
    float effort = 0;  // Amplitude of the beat, as a fraction.
  };
  void plan_states(Random random);
  float swing(float x, const State& state) const;  // Displacement of the middle line, metres.
  void pose(int frame);
  void pose_fins(double time_s, const State& state, float turn_rad_s);

  const Body& body_;
  ClipRequest request_;
  GaitNumbers gait_;
  StyleNumbers style_;
  Track track_;
  Actions actions_;
  Rig rig_;
  std::optional<Curve> course_;
  std::vector<State> states_;
  int num_frames_ = 0;
  float wave_ = 1;  // Wavelength in body lengths.
  float depth_m_ = 0;
  bool eel_ = false;
  Wander heave_, fins_, look_;
};

}  // namespace zoe::synth
