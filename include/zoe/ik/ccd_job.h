// SPDX-License-Identifier: MIT
// Part of Zoetrope. Cyclic coordinate descent: joint by joint from the tip to the root, each turned so that the tip
// comes nearest to the target. Slower and more curled than FABRIK, but every step respects limits exactly.
#pragma once

#include "zoe/ik/fabrik_job.h"

namespace zoe {

struct CcdJob {
  const Skeleton* skeleton = nullptr;
  std::span<const int> chain;          // From the first movable joint to the tip, each the parent of the next.
  Vec3 target_model;                   // Metres, model space.
  std::span<const JointLimit> limits;  // [chain - 1] for all joints but the tip, or empty.
  float tolerance_m = 1e-3F;
  int max_iterations = 32;     // Sweeps over the chain.
  float max_step_rad = 0.5F;   // Largest rotation of one joint in one sweep: spreads the bend over the chain.
  float weight = 1;            // 0..1.
  IkPose pose;                 // In and out.
  float* missing_m = nullptr;  // Optional: remaining distance of the tip to the target at weight one.

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

}  // namespace zoe
