// SPDX-License-Identifier: MIT
// Part of Zoetrope. Styles as numbers, and the footfalls of synthetic bodies.
#pragma once

#include "zoe/synth/clip.h"
#include "zoe/synth/gait_numbers.h"

namespace zoe::synth {

// Phase in the stride (0..1) of the leg's touchdown.
float touchdown_phase(const Body& body, Gait gait, const Leg& leg);

// Factors and offsets on top of a gait. 1 and 0 change nothing.
struct StyleNumbers {
  float speed = 1, frequency = 1, step_height = 1, step_width = 1, bob = 1, sway = 1, arm_swing = 1;
  float crouch = 0;       // Leg lengths.
  float spine_pitch = 0;  // Radians, forward; of the whole spine.
  float head_pitch = 0;   // Radians, down.
  float arm_out = 0;      // Radians, away from the body.
  float elbow = 0;        // Radians of further bend.
  float shrug = 0;        // Radians, shoulders up.
  float guard = 0;        // 0..1: the right arm is held at the body.
  float tail_lift = 0;    // Radians, up; of the whole tail.
  float hip_sway = 0;     // Radians of pelvic roll and yaw.
  float limp = 0;         // 0..1: one leg carries less.
  float tremble = 0;      // Radians of fast small noise.
  float look_around = 1;  // Of the head's idle turns.
};
StyleNumbers style_numbers(Style style);
// True if the style's limp spares this leg, which then has a shorter contact: the last on the right.
bool is_spared(const Body& body, const StyleNumbers& style, const Leg& leg);

}  // namespace zoe::synth
