// SPDX-License-Identifier: MIT
// Part of Zoetrope. Blending of poses and clips: weighted blends with joint masks, and additive layers.
#pragma once

#include <span>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

struct BlendLayer {
  PoseView pose;
  float weight = 1;                      // >= 0; weights need not sum to one.
  std::span<const float> joint_weights;  // [joints] factors on `weight`, >= 0, or empty: all ones.
};

// Weighted mean of poses, joint by joint: translations and scales linearly, rotations as the normalised sum of
// quaternions on the hemisphere of the first layer. A joint without weight keeps the fallback's value.
struct BlendJob {
  std::span<const BlendLayer> layers;
  PoseView fallback;  // Usually the rest pose. Needed for every joint, used where all weights are zero.

  std::span<Vec3> translations;  // [joints]
  std::span<Quat> rotations;     // [joints]
  std::span<Vec3> scales;        // [joints] or empty: skipped.

  Result<void> validate() const;
  bool run() const noexcept;
};

// The difference from `reference` to `pose`: translation difference, rotation reference⁻¹·pose, scale quotient. Sizes
// are checked. A zero scale in the reference counts as one.
void subtract_pose(const PoseView& reference, const PoseView& pose, Pose& difference);

// Adds `weight` (any number; 1 inverts subtract_pose) of such a difference to `pose`, in place. joint_weights: [joints]
// or empty.
void add_pose(const PoseView& difference, float weight, std::span<const float> joint_weights, Pose& pose);

// a and b frame by frame: weight 0 gives a, 1 gives b; joint_weights (or empty) multiply it. Same topology, rate and
// morph weights; the longer clip is cut to the shorter.
Result<Motion> blend(const Motion& a, const Motion& b, float weight, std::span<const float> joint_weights = {});

// base plus weight times the difference from the additive clip's first frame to each of its frames. Same topology and
// rate. A shorter additive clip holds its last frame. Morph weights are added in the same way.
Result<Motion> add(const Motion& base, const Motion& additive, float weight, std::span<const float> joint_weights = {});

}  // namespace zoe
