// SPDX-License-Identifier: MIT
// Part of Zoetrope. ZOE_TARGET in the environment restricts all kernels of the process to one instruction set, so that
// one machine can test and measure every path. Every kernel file includes this header (through simd_foreach_target.h):
// the restriction holds before main() and in every program that links a kernel. `simd_targets.h` comes first.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <hwy/targets.h>

#include "zoe/core/log.h"

namespace zoe::simd {

// The targets of a word; 0 if the word is unknown. The words are in kTargetWords.
inline constexpr const char* kTargetWords = "avx512, avx2, sse4, scalar";
inline std::int64_t targets_of_word(std::string_view word) {
  if (word == "avx512") return HWY_AVX3 | HWY_AVX3_DL;
  if (word == "avx2") return HWY_AVX2;
  if (word == "sse4") return HWY_SSE4;
  if (word == "scalar") return HWY_EMU128 | HWY_SCALAR;
  return 0;
}

// Restricts the kernels to a word's targets. An empty word removes the restriction. Returns what is wrong with the
// word; nothing is restricted then.
inline std::string restrict_to_word(std::string_view word) {
  hwy::SetSupportedTargetsForTest(0);
  const std::int64_t wanted = targets_of_word(word), available = hwy::SupportedTargets() | HWY_EMU128 | HWY_SCALAR;
  std::string problem;
  if (wanted != 0 && (wanted & available) != 0) {
    hwy::SetSupportedTargetsForTest(wanted & available);
  } else if (wanted != 0) {
    problem = "this processor has no " + std::string(word) + "; its best instruction set is used";
  } else if (!word.empty()) {
    problem = "'" + std::string(word) + "' is no instruction set: use one of " + kTargetWords;
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return problem;
}

struct EnvironmentTarget {
  std::string word;     // ZOE_TARGET; empty: all targets of the processor.
  std::string problem;  // Why the word has no effect.
};
inline const EnvironmentTarget& environment_target() {
  static const EnvironmentTarget target = [] {
    const char* word = std::getenv("ZOE_TARGET");
    EnvironmentTarget made{word != nullptr ? word : "", {}};
    if (made.word.empty()) return made;
    made.problem = restrict_to_word(made.word);
    if (!made.problem.empty()) log_warning("ZOE_TARGET: " + made.problem);
    return made;
  }();
  return target;
}
[[maybe_unused]] inline const EnvironmentTarget& applied_at_start = environment_target();

}  // namespace zoe::simd
