// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip with one known defect, and the sizes of defects.
#pragma once

#include "zoe/character/skeleton.h"
#include "zoe/motion/motion.h"

namespace zoe::certify {

struct Sabotaged {
  Motion motion;
  int first_frame = 0, last_frame = 0;
  int joint = kNoJoint;  // kNoJoint: the whole body.
};

// Sizes; lengths in body sizes.
struct SabotageSizes {
  double slide = 0.35;     // Of the body over the ground, per second.
  double sink = 0.1;       // The whole clip is that far below the ground.
  double raise = 0.18;     // Or above it.
  double twist_deg = 180;  // For 0.4 s, of one joint.
  double jitter_deg = 2;   // Standard deviation per axis of every joint, every frame.
  double spike_deg = 60;   // Of one joint in one frame.
  double stretch = 1.3;    // One bone, 0.4 s.
  // Knees and elbows flip for up to 0.4 s around their largest bend, which is at least this.
  double least_bend_deg = 35;
  // Sides are exchanged for about 0.5 s between frames that differ at least this much from their mirror image (root
  // mean square over the limbs).
  double least_asymmetry_deg = 20;
  // A loop is cut where a joint differs most from its first frame: at least this beyond its largest step.
  double least_seam_deg = 20;
};

}  // namespace zoe::certify
