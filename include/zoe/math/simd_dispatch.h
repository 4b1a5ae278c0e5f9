// SPDX-License-Identifier: MIT
// Part of Zoetrope. The instruction sets available to the kernels here. Tests and benches run each in turn. ZOE_TARGET
// in the environment (avx512, avx2, sse4 or scalar) restricts a whole process to one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::simd {

struct Target {
  std::int64_t id = 0;
  const char* name = "";
};

// The target that kernels run on now, e.g. "AVX2".
const char* target_in_use();

// Restricts all kernels of the process to the targets of a word of ZOE_TARGET, until the next call. An empty word
// removes the restriction. Fails, and restricts nothing, if the word is unknown or the processor lacks the set. Not
// allowed while another thread runs kernels.
Result<void> restrict_targets(std::string_view word);

// ZOE_TARGET, and why it has no effect (also logged as a warning). Empty: it is not set; it has an effect.
struct RequestedTarget {
  std::string word, problem;
};
RequestedTarget requested_target();

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
