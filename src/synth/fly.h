// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bodies in the air: flapping, gliding, hovering.
#pragma once

#include "synth/gait_table.h"
#include "synth/life.h"
#include "synth/wings.h"

namespace zoe::synth {

// Speed from wing loading (lift = weight); beats per second after Pennycuick, "Wingbeat frequency of birds in steady
// cruising flight" (J. Exp. Biol. 199, 1996): f = m^3/8 g^1/2 b^-23/24 S^-1/3 rho^-3/8.
class FlyAnimator {
 public:
  FlyAnimator(const Body& body, const ClipRequest& request, Random random);
  Clip run();

 private:
  void pose(double time_s);
  void pose_legs(double time_s);
  void pose_tail(double time_s, float turn_rad_s);

  const Body& body_;
  ClipRequest request_;
  GaitNumbers gait_;
  StyleNumbers style_;
  Track track_;
  Rig rig_;
  float beat_hz_ = 2, beat_phase_ = 0, height_m_ = 0, tilt_rad_ = 0;
  Vec3 rest_com_;
  Wander drift_x_, drift_y_, drift_z_, look_, trim_;
};

}  // namespace zoe::synth
