// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frames of a motion moved rigidly over the ground, taken in any order, and aligned with each other:
// the tools of cycles, continuations and bent paths. Motions are in metres, Y up.
#pragma once

#include <span>
#include <vector>

#include "zoe/motion/motion.h"
#include "zoe/motion/root.h"

namespace zoe::generate {

// A turn about Y, then a shift: p' = R(turn) p + shift.
struct GroundMove {
  float turn_rad = 0;
  Vec3 shift;  // y is zero.
};
GroundMove composed(const GroundMove& second, const GroundMove& first);
// The move that brings one root onto another.
GroundMove move_between(const PlanarRoot& from, const PlanarRoot& to);
Vec3 moved(const GroundMove& move, Vec3 position);

// Moves the joints without parents of frames [first, last].
void move_frames(Motion& motion, int first, int last, const GroundMove& move);

// The frames of a motion in a given order, perhaps several times. Start time and name stay.
Motion take_frames(const Motion& motion, std::span<const int> frames);

// Overwrites frames of `to`, which has the same layout, from `at` on. Signs of rotations may jump there.
void copy_frames(const Motion& from, int first, int count, Motion& to, int at);

// Model-space positions of all joints, [frames × joints].
std::vector<Vec3> all_positions(const Motion& motion);

struct Alignment {
  GroundMove move;        // Brings the first window onto the second.
  double distance_m = 0;  // Root mean square over joints and frames after it.
};
// Frames [from - before, from + after] of `positions` laid onto those around `onto`, by least squares over the ground
// (Kovar et al., 2002). Frames beyond the motion's ends are not counted.
Alignment align_frames(std::span<const Vec3> positions, int num_joints, int from, int onto, int before, int after);

}  // namespace zoe::generate
