// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a chain solver is told once: the chain, and when to stop.
#pragma once

#include <cstddef>
#include <span>

namespace zoe {

constexpr std::size_t kMaxIkChain = 64;  // Joints; solvers keep a chain on the stack.

// What is the same for every character of a batch.
struct FabrikSettings {
  std::span<const int> chain;  // From the fixed joint to the tip, each the parent of the next; 2..kMaxIkChain.
  float tolerance_m = 1e-3F;   // Done when the tip is this near to the target.
  int max_iterations = 40;     // A target out of reach takes none: the chain is stretched towards it.
  float pole_weight = 1;       // 0..1: how far the chain's plane is turned to the pole.
  float weight = 1;            // 0: the pose as it is, 1: the solution; 0..1.
};

}  // namespace zoe
