// SPDX-License-Identifier: MIT
// Part of Zoetrope. Styles of four-legged bodies by rule: posture of neck, head, tail and back, height of the body, and
// how much neck and tail move. Paws stay where they are in every frame, so that gait, timing and contacts stay.
//
//   const QuadrupedBody dog = QuadrupedBody::create(skeleton, analysis).value();
//   const Motion tired = perform_quadruped(quadruped_style(*find_procedural_style("tired")), motion, dog, analysis,
//                                          Random(1));
#pragma once

#include "zoe/anatomy/leg_rig.h"
#include "zoe/style/procedural.h"

namespace zoe::style {

// A skeleton by role: trunk, neck, tail and four legs.
struct QuadrupedBody {
  SkeletonPtr skeleton;
  int trunk = kNoJoint;   // Carries everything.
  std::vector<int> neck;  // From the joint that carries the fore legs, which is not one of them, to the head.
  std::vector<int> tail;  // From its root to its tip; may be empty.
  std::vector<anatomy::LegRig> legs;
  float leg_length = 1;   // Hip to ankle, mean, in the skeleton's unit.
  Vec3 forward{0, 0, 1};  // Of the analysis, model space.

  // Fails (kUnsupported) on other bodies, and where head or legs are not found. Y is up.
  static Result<QuadrupedBody> create(SkeletonPtr skeleton, const SkeletonAnalysis& analysis);
};

// Offsets of 0 and factors of 1 change nothing. Radians.
struct QuadrupedStyle {
  float neck_down = 0;  // Of neck and head together.
  float tail_up = 0;
  float crouch = 0;   // Leg lengths that the body is lower.
  float sway = 0;     // Roll of the body towards the side that carries.
  float swing = 1;    // Size of the motion of neck and tail about its mean.
  float tremble = 0;  // Fast small noise of the head.
};
// What a style of people means for four legs.
QuadrupedStyle quadruped_style(const ProceduralStyle& style);
QuadrupedStyle scaled(const QuadrupedStyle& style, float strength);

// How a body is held over a clip, and how much it moves: means over the frames.
struct QuadrupedPosture {
  float neck_rad = 0, tail_rad = 0;  // Elevation of the line from its first joint to its last.
  float height = 0;                  // Of the hips over the lowest ankles, leg lengths.
  float neck_swing = 0;              // Deviation of the neck's elevation.
};
QuadrupedPosture posture_of(const Motion& motion, const QuadrupedBody& body);
// The style that turns the first posture into the second.
QuadrupedStyle style_between(const QuadrupedPosture& from, const QuadrupedPosture& to);

// The motion as one performer does it: numbers vary by performer and slowly over time; seed 0 is the style as it is.
Motion perform_quadruped(const QuadrupedStyle& style, const Motion& motion, const QuadrupedBody& body,
                         const SkeletonAnalysis& analysis, std::uint64_t seed);

}  // namespace zoe::style
