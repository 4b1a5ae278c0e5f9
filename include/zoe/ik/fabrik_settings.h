// SPDX-License-Identifier: MIT
// Part of Zoetrope. Settings of a chain solver: the chain, and when to stop.
#pragma once

#include <cstddef>
#include <span>

namespace zoe {

constexpr std::size_t kMaxIkChain = 64;  // Joints; solvers keep a chain on the stack.

// Settings that all characters of a batch share.
struct FabrikSettings {
  std::span<const int> chain;  // From the fixed joint to the tip, each the parent of the next; 2..kMaxIkChain.
  float tolerance_m = 1e-3F;   // Converged when the tip is within this distance of the target.
  int max_iterations = 40;     // A target out of reach takes no iteration: the chain is stretched towards it.
  float pole_weight = 1;       // 0..1: how far the chain's plane turns to the pole.
  float weight = 1;            // 0: the original pose, 1: the solution; 0..1.
};

}  // namespace zoe
