// SPDX-License-Identifier: MIT
// Part of Zoetrope. Chains of any length: forward and backward reaching (Aristidou and Lasenby, "FABRIK: a fast,
// iterative solver for the inverse kinematics problem", Graphical Models 73, 2011). Jobs own nothing and never
// allocate.
#pragma once

#include "zoe/ik/fabrik_settings.h"
#include "zoe/ik/ik_pose.h"
#include "zoe/ik/joint_limit.h"

namespace zoe {

// One character. Rotations of all chain joints but the tip change. Each bone keeps its previous twist about itself,
// measured from the rest pose: solving repeatedly from the last solution does not wind it up.
struct FabrikJob {
  const Skeleton* skeleton = nullptr;
  FabrikSettings settings;
  Vec3 target_model;                         // Metres, model space.
  Vec3 pole_model;                           // Direction for the inner joints; zero for none.
  std::span<const JointLimit> limits;        // [chain - 1] for all joints but the tip, or empty.
  const Quat* tip_rotation_model = nullptr;  // Optional: the rotation of the tip joint.
  IkPose pose;                               // In and out.
  float* missing_m = nullptr;                // Optional: remaining distance of the tip to the target at weight one.
  int* iterations = nullptr;                 // Optional: number of iterations.

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

// Many characters of one skeleton, without limits.
struct BatchFabrikJob {
  const Skeleton* skeleton = nullptr;
  FabrikSettings settings;
  const VectorBatch* targets_model = nullptr;
  const VectorBatch* poles_model = nullptr;  // Optional; a zero pole keeps that chain's plane.
  PoseBatch* poses = nullptr;                // In and out; without scales.
  std::span<float> missing_m;                // [poses] or empty.

  const char* validate() const noexcept;
  bool run() const noexcept;
};

}  // namespace zoe
