// SPDX-License-Identifier: MIT
// Part of Zoetrope. A chain that is turned joint by joint: cyclic coordinate descent on the stack.
#pragma once

#include <array>

#include "zoe/ik/fabrik_settings.h"

#include "ik/chain.h"

namespace zoe::ik_detail {

struct CcdChain {
  Frame base;            // model_from_parent of the first joint.
  std::size_t last = 0;  // Index of the tip.
  std::array<Frame, kMaxIkChain> local, model;

  Vec3 tip() const { return model[last].position; }
  // Model frames from local ones, from joint `first` on.
  void update_from(std::size_t first) noexcept;
  // Sweeps from the tip to the root until the tip is within the tolerance or `max_sweeps` are done. Returns the number
  // of sweeps.
  int solve(Vec3 target, std::span<const JointLimit> limits, float tolerance_m, int max_sweeps,
            float max_step_rad) noexcept;
};

}  // namespace zoe::ik_detail
