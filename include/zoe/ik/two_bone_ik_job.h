// SPDX-License-Identifier: MIT
// Part of Zoetrope. Arms and legs: two bones whose tip shall reach a point, solved exactly. Jobs own nothing and never
// allocate.
#pragma once

#include <numbers>

#include "zoe/ik/ik_pose.h"
#include "zoe/ik/two_bone_ik_settings.h"

namespace zoe {

// One character. Rotations of start and mid are changed, nothing else: bone lengths stay what they are.
struct TwoBoneIkJob {
  const Skeleton* skeleton = nullptr;
  TwoBoneIkSettings settings;
  Vec3 target_model;           // Metres, model space.
  Vec3 pole_model;             // Direction the mid joint shall point to; zero leaves the limb's plane where it is.
  IkPose pose;                 // In and out.
  float* missing_m = nullptr;  // Optional: how far the tip stays from the target at weight one.

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // False, and nothing written, when validate() objects.
  bool run() const noexcept;
};

// Many characters of one skeleton.
struct BatchTwoBoneIkJob {
  const Skeleton* skeleton = nullptr;
  TwoBoneIkSettings settings;
  const VectorBatch* targets_model = nullptr;
  const VectorBatch* poles_model = nullptr;  // Optional; a zero pole leaves that limb's plane where it is.
  std::span<const float> weights;            // [poses] or empty; times settings.weight.
  PoseBatch* poses = nullptr;                // In and out; without scales.
  std::span<float> missing_m;                // [poses] or empty.

  const char* validate() const noexcept;
  bool run() const noexcept;
};

}  // namespace zoe
