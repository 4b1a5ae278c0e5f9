// SPDX-License-Identifier: MIT
// Part of Zoetrope. Arms and legs: two bones whose tip reaches a point, solved exactly. Jobs own nothing and never
// allocate.
#pragma once

#include <numbers>

#include "zoe/ik/ik_pose.h"
#include "zoe/ik/two_bone_ik_settings.h"

namespace zoe {

// One character. Only rotations of start and mid change. Bone lengths stay.
struct TwoBoneIkJob {
  const Skeleton* skeleton = nullptr;
  TwoBoneIkSettings settings;
  Vec3 target_model;           // Metres, model space.
  Vec3 pole_model;             // Direction for the mid joint; zero keeps the limb's plane.
  IkPose pose;                 // In and out.
  float* missing_m = nullptr;  // Optional: remaining distance of the tip to the target at weight one.

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

// Many characters of one skeleton.
struct BatchTwoBoneIkJob {
  const Skeleton* skeleton = nullptr;
  TwoBoneIkSettings settings;
  const VectorBatch* targets_model = nullptr;
  const VectorBatch* poles_model = nullptr;  // Optional; a zero pole keeps that limb's plane.
  std::span<const float> weights;            // [poses] or empty; times settings.weight.
  PoseBatch* poses = nullptr;                // In and out; without scales.
  std::span<float> missing_m;                // [poses] or empty.

  const char* validate() const noexcept;
  bool run() const noexcept;
};

}  // namespace zoe
