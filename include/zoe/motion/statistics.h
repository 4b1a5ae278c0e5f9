// SPDX-License-Identifier: MIT
// Part of Zoetrope. Statistics of a clip: bone lengths and the ranges of its joints.
#pragma once

#include <array>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

// Distance of a joint from its parent over a clip, metres.
struct BoneLength {
  float rest = 0, mean = 0, min = 0, max = 0, deviation = 0;  // deviation: standard deviation over frames.
};

// [joints]; roots have no bone and stay zero. The length is in the parent's frame: the parent's own local scale counts,
// scales above it do not.
std::vector<BoneLength> bone_lengths(const Motion& motion);

struct Range {
  float min = 0, max = 0;  // Radians.
};

// Rotation of a joint relative to its rest pose, along the shorter arc: angles never leave [-π, π].
struct JointLimits {
  std::array<Range, 3> axes;  // Parts of the rotation vector along the joint's x, y, z axes.
  Range twist;                // About twist_axis, in [-π, π].
  Range swing;                // Angle away from twist_axis, in [0, π].
  Vec3 twist_axis;            // Joint space, unit: towards the mean of the children at rest, or y for a leaf.
};

struct JointLimitOptions {
  double low = 0.0, high = 1.0;  // Percentiles, as fractions: 0.01 and 0.99 ignore outlier frames.
};

// [joints]. Needs at least one frame and 0 <= low <= high <= 1.
Result<std::vector<JointLimits>> joint_limits(const Motion& motion, const JointLimitOptions& options = {});

}  // namespace zoe
