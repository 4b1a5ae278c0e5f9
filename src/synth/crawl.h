// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bodies without legs on the ground: slithering, sidewinding, lying, striking.
#pragma once

#include <optional>

#include "synth/action.h"
#include "synth/curve.h"
#include "synth/life.h"

namespace zoe::synth {

// The body winds along a serpenoid: a line whose heading is a sine of arc length (Hirose, "Biologically inspired
// robots", 1993). In slithering every joint follows the one before on the same line: nothing slips sideways. In
// sidewinding the line itself moves, so that the parts of one heading stand still and all others are lifted.
class CrawlAnimator {
 public:
  CrawlAnimator(const Body& body, const ClipRequest& request, Random random);
  Clip run();

 private:
  // Heading of the line relative to the course, at an arc length from the root's start. `wound`: -1..1 of an attack.
  float swing_at(float arc_m, float wound) const;
  Curve make_curve(float wound) const;
  void pose(double time_s, float wound, float jaw_rad);

  const Body& body_;
  ClipRequest request_;
  GaitNumbers gait_;
  StyleNumbers style_;
  Terrain terrain_;
  Track track_;
  Actions actions_;
  Rig rig_;
  float amplitude_rad_ = 0.8F, wave_m_ = 1, phase_rad_ = 0;
  float straightness_ = 1;  // Distance along the course per arc length of the line: J0(amplitude).
  float contact_rad_ = 0;   // Sidewinding: heading of the parts in contact.
  std::optional<Curve> course_, line_;
  Wander look_, nod_, breath_;
  bool still_ = false, sidewinds_ = false;
};

}  // namespace zoe::synth
