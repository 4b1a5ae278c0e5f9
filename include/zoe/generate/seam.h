// SPDX-License-Identifier: MIT
// Part of Zoetrope. Where two pieces of motion meet: the difference of their poses and velocities, spread over some
// frames, and a measure of the jump that is left. Frames beyond the window do not change by a bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::generate {

// What a piece has at its first frame beyond another at its last. Arrays are [joints]; velocities are per frame.
struct SeamDifference {
  std::vector<Vec3> position, velocity;  // Parent-relative.
  std::vector<Vec3> rotation, spin;      // Rotation vectors in the parent's axes.
  std::vector<Vec3> scale;               // Empty without scales.
  std::vector<float> morph_weights;
};
// `before` ends at frame_before and `after` begins at frame_after: both are the same instant. The change of velocity
// that both sides have by themselves is no difference. Skeletons are the same.
SeamDifference seam_difference(const Motion& before, int frame_before, const Motion& after, int frame_after);

// Adds `share` of the difference to frame `frame`, falling to zero `window` frames before it, velocities included.
void ease_end(Motion& motion, int frame, int window, const SeamDifference& difference, float share);
// Subtracts `share` of the difference from frame `frame`, falling to zero `window` frames after it.
void ease_start(Motion& motion, int frame, int window, const SeamDifference& difference, float share);

// [frames] Largest change of a joint's velocity from one frame to the next, metres per frame; 0 at both ends.
std::vector<double> velocity_jumps(const Motion& motion);
// The value that 99 % of the inner frames are below; 0 below three frames.
double usual_jump(const Motion& motion);

// Largest jump of `made` at the seams (and beside them) as a multiple of the usual jump of `own`; 0 where nothing
// moves. Seams: the frames on either side of a border. known: [frames of made], not 0 where a frame is as given; jumps
// between such frames alone are the clip's own and do not count. Empty: all count.
double seam_ratio(const Motion& own, const Motion& made, std::span<const int> seams,
                  std::span<const std::uint8_t> known = {});

struct SoftSeams {
  Motion motion;
  double seam_ratio = 0;
  int frames = 0;  // Made anew at most on either side of a seam; 0: nothing had to be changed.
};
// Where a seam jumps by more than is usual, unknown frames around it are put on tracks of least acceleration
// (least_acceleration.h): as few as make the seam usual, else as many as make it smoothest. Known frames stay.
SoftSeams soften_seams(const Motion& own, const Motion& made, std::span<const int> seams,
                       std::span<const std::uint8_t> known);

}  // namespace zoe::generate
