// SPDX-License-Identifier: MIT
// Part of Zoetrope. Forward kinematics: parent-relative transforms to model space. Jobs own nothing and never allocate.
#pragma once

#include <span>

#include "zoe/character/pose.h"
#include "zoe/character/pose_batch.h"

namespace zoe {

// One pose. The same result as compute_model_from_joint to rounding, several times faster.
struct LocalToModelJob {
  // Inputs.
  const Skeleton* skeleton = nullptr;
  PoseView pose;  // [joints]; scales may be empty.

  // Output: [joints] at least.
  std::span<Affine> model_from_joint;

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

// Many poses of one skeleton.
struct BatchLocalToModelJob {
  // Inputs.
  const Skeleton* skeleton = nullptr;
  const PoseBatch* poses = nullptr;

  // Output: as many poses and joints as the input.
  ModelBatch* models = nullptr;

  const char* validate() const noexcept;
  bool run() const noexcept;
};

}  // namespace zoe
