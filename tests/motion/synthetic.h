// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Made-up skeletons and smooth random motions, the same for the same seed.
#pragma once

#include <cstdint>

#include "zoe/motion/motion.h"

namespace zoe::test {

// A spine with limbs: parents before children, offsets of 5 to 40 cm, turned rest frames.
SkeletonPtr random_skeleton(int num_joints, std::uint32_t seed);

struct SyntheticOptions {
  int num_joints = 20;
  int num_frames = 200;
  double fps = 60;
  std::uint32_t seed = 1;
  double swing_rad = 0.8;    // Amplitude of each joint's sway.
  double noise_rad = 0;      // White noise on top.
  double root_travel_m = 3;  // How far the root goes along x.
  bool animated_translations = false;
  bool scales = false;
  int num_morph_weights = 0;
};

Motion random_motion(const SyntheticOptions& options);

// Largest distance, metres, over frames and joints between the two motions' joint positions in model space (double).
double worst_position_difference(const Motion& a, const Motion& b);

}  // namespace zoe::test
