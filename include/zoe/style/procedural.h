// SPDX-License-Identifier: MIT
// Part of Zoetrope. Procedural styles: rows of any motion changed by rules, so that a recording exists in several
// styles at the same moments. Training learns from such pairs what content is. Performers differ, and each moment
// differs.
//
//   const ProceduralStyle& tired = procedural_styles()[1];
//   const std::vector<float> rows = perform(every(clip), body.offsets, tired, Random(7));
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/core/random.h"
#include "zoe/style/features.h"

namespace zoe::style {

// Factors of 1 and offsets of 0 change nothing. Angles in radians.
struct ProceduralStyle {
  std::string name;
  float spine_pitch = 0;  // Forward, of the whole trunk.
  float head_pitch = 0;   // Down, of neck and head together.
  float arm_out = 0;      // Away from the body.
  float elbow = 0;        // Further bend.
  float shrug = 0;        // Shoulders up.
  float arm_swing = 1;    // Size of the arms' motion about its mean.
  float leg_swing = 1;    // The same for the thighs: length of steps.
  float crouch = 0;       // Leg lengths that the hips are lower.
  float sway = 0;         // Roll of the trunk over the foot in contact.
  float sharpness = 0;    // Above 0: changes of arms and trunk are exaggerated, below 0: they are smoothed.
  float tremble = 0;      // Fast small noise of arms and head.
  float stomp = 0;        // Roll and dip of the hips on each step, radians.
  float arm_forward = 0;  // Of the upper arms.
  float stance = 0;       // Legs apart, each.
};
std::span<const ProceduralStyle> procedural_styles();
const ProceduralStyle* find_procedural_style(const std::string& name);
// A style whose numbers are drawn from the range of what bodies do, some of them 0. Many of them teach an encoder what
// styles can differ in.
ProceduralStyle random_procedural_style(const std::string& name, Random random);
// More or less of it: 0 changes nothing, 1 is the style.
ProceduralStyle scaled(const ProceduralStyle& style, float strength);

// The rows [n × kNumColumns], 30 a second, in the style, as one performer does it: all numbers vary by a quarter about
// the style's, and the whole varies slowly over time. Feet stay on the floor, and feet in contact keep their speed.
// offsets: of the body (RoleBody::offsets).
std::vector<float> perform(std::span<const float> rows, std::span<const Vec3> offsets, const ProceduralStyle& style,
                           Random random);

}  // namespace zoe::style
