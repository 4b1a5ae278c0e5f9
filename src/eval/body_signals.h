// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip as signals in body lengths: the same whatever the unit, the position, the heading and the
// rate of the capture.
#pragma once

#include <vector>

#include "zoe/motion/motion.h"

#include "eval/body_parts.h"

namespace zoe::eval {

constexpr double kSignalFps = 30;

// Lengths are in body lengths (BodyParts::length), times in seconds. Arrays are [frames] or [frames × joints].
struct BodySignals {
  BodyParts body;
  int num_frames = 0;
  std::size_t num_joints = 0;
  std::vector<Vec3> places;            // [frames × joints] In the axes of the smoothed root: x left, y up, z ahead.
  std::vector<Vec3> velocities;        // [frames × joints] Of `places`.
  std::vector<Vec3> world_velocities;  // [frames × supports]
  std::vector<float> support_heights;  // [frames × supports] Above the joint's own low level.
  std::vector<Vec3> centre_velocity;   // Of the weighted mean of all joints, in the root's axes.
  std::vector<Vec3> root_places;       // On the ground, heading of the first frame.
  std::vector<float> facing_rad;
  std::vector<Vec3> trunk_axis;  // Unit, in the root's axes; zero where unknown.
};

// The motion is resampled to kSignalFps. Fails on a body without bones, and on fewer than 4 frames after resampling.
Result<BodySignals> measure_body(const Motion& motion, const SkeletonAnalysis& analysis);

}  // namespace zoe::eval
