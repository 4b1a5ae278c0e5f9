// SPDX-License-Identifier: MIT
// Part of Zoetrope. Sizes of a person that decide how it meets props: where it stands, how far it bends and reaches.
#pragma once

#include "zoe/core/result.h"
#include "zoe/ground/prop.h"
#include "zoe/synth/body.h"

namespace zoe::synth {

// Metres, at rest.
struct BodySizes {
  float leg_m = 0;
  float hips_y_m = 0;     // Of the root's joint, standing.
  float seated_m = 0;     // Root's joint above a seat.
  float hip_below_m = 0;  // Hip joints below the root's joint.
  float hip_half_m = 0;
  float thigh_m = 0, shin_m = 0, ankle_y_m = 0, knee_y_m = 0;
  float ankle_z_m = 0;  // Before the centre of mass.
  float reach_m = 0;    // Of a leg.
  float thigh_radius_m = 0, calf_radius_m = 0;
  float belly_m = 0;  // From the root to the front of the trunk.
  float back_m = 0;   // From the root to the back of the pelvis.
  float toes_m = 0;   // From the centre of mass to the tip of the toes.
  float heel_m = 0;   // From the centre of mass back to the heel.
  float trunk_m = 0;  // From the root up to the shoulders.
  float shoulder_half_m = 0, shoulder_z_m = 0;
  float arm_m = 0;  // From the shoulder to the palm.
};
BodySizes measure_sizes(const Body& body);
// Height of the root's joint above a seat.
float seated_height_m(const Body& body);
// The palm in the frame of the hand's joint.
Vec3 palm_of(const Body& body, const Arm& arm);

// How a body sits: own space of the seat.
struct SeatFit {
  float hips_y_m = 0, hips_z_m = 0;  // Of the root's joint.
  float stand_z_m = 0;               // Of the body's middle before it sits down.
  float turn_z_m = 0;                // The same where it turns: toes are clear of the seat.
  float leg_needed_m = 0;            // From hip to ankle, seated.
};
SeatFit fit_to_seat(const BodySizes& sizes, const Prop& seat);
Result<void> check_seat(const BodySizes& sizes, const Prop& seat);

// A box, by half of its size: where its bottom's middle is when carried, in the root's space; the distance from the
// body's middle to the box's when it is lifted; the palm on one of its sides (1: left) in its own space.
Vec3 held_place(const BodySizes& sizes, Vec3 half_m);
float stand_off(const BodySizes& sizes, Vec3 half_m);
Vec3 palm_place(Vec3 half_m, float side);
Result<void> check_box(const BodySizes& sizes, const Prop& box, float destination_y_m);
Result<void> check_door(const BodySizes& sizes, const Prop& door);

// How far a standing body must bend down for a palm to reach a point of the root's space.
struct Crouch {
  float amount = 0;     // 0 to 1.
  float lean_rad = 0;   // Of the trunk.
  Vec3 hips;            // Offset, in the root's space.
  float missing_m = 0;  // What is left at amount 1.
};
Crouch crouch_for(const BodySizes& sizes, Vec3 palm_in_root);

}  // namespace zoe::synth
