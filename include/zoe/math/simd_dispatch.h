// SPDX-License-Identifier: MIT
// Part of Zoetrope. The instruction sets available to the kernels here. Tests and benches run each in turn.
#pragma once

#include <cstdint>
#include <vector>

namespace zoe::simd {

struct Target {
  std::int64_t id = 0;
  const char* name = "";
};

// Instruction sets that were compiled in and that this CPU has, best first. Never empty.
std::vector<Target> supported_targets();

// Makes all kernels of the process use one target during the lifetime of the object. Not allowed while another thread
// runs kernels.
class ForceTarget {
 public:
  explicit ForceTarget(const Target& target);
  ~ForceTarget();
  ForceTarget(const ForceTarget&) = delete;
  ForceTarget& operator=(const ForceTarget&) = delete;
};

}  // namespace zoe::simd
