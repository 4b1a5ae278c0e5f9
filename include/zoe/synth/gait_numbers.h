// SPDX-License-Identifier: MIT
// Part of Zoetrope. Gaits as numbers: speed, duty factor, stride and the order of footfalls of each family. Synthetic
// bodies and real rigs (author/alive.h) walk by the same table.
#pragma once

#include "zoe/synth/clip.h"

namespace zoe::synth {

constexpr float kGravity = 9.81F;

// Lengths in leg lengths, angles in radians.
struct GaitNumbers {
  float froude = 0.2F;   // Of the usual speed: v² / (g L).
  float duty = 0.6F;     // Fraction of the stride in contact.
  float stride = 1;      // Factor on the stride length of Alexander's relation, λ = 2.3 L Fr^0.3.
  float travel = 0.72F;  // Largest travel of the body over a foot in contact.
  float step_height = 0.1F;
  float bob = 0.02F, sway = 0.02F;     // Of the trunk: vertically twice per stride, sideways once.
  float pitch = 0, yaw = 0, roll = 0;  // Of the pelvis.
  float flex = 0;                      // Of the spine, vertically once per stride (gallop).
  float arm_swing = 0;
  float crouch = 0.02F;  // How much lower than at rest.
  float lean = 0;        // Forward.
  bool flight = false;   // There are moments without a foot in contact.
};
GaitNumbers gait_numbers(BodyFamily family, Gait gait);

// Phase in the stride (0..1) of the touchdown of a leg. row: 0 is the foremost pair.
float touchdown_phase(BodyFamily family, Gait gait, Side side, int row, int num_rows);

}  // namespace zoe::synth
