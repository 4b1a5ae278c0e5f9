// SPDX-License-Identifier: MIT
#include "zoe/train/library_environment.h"

#include <cstdlib>

namespace zoe::train {

bool set_library_environment() {
  bool changed = false;
  const auto set = [&](const char* name, const char* value) {
    if (std::getenv(name) != nullptr) return;
    ::setenv(name, value, 1);
    changed = true;
  };
#ifdef __x86_64__
  __builtin_cpu_init();
  // Zen 4 executes AVX-512 in two halves: kernels for AVX2 are 7 % faster there (docs/train.md).
  const bool halves = __builtin_cpu_is("amdfam19h");
  if (__builtin_cpu_supports("avx512f") && !halves)
    set("OPENBLAS_CORETYPE", "SkylakeX");
  else if (__builtin_cpu_supports("avx2"))
    set("OPENBLAS_CORETYPE", "Haswell");
  set("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16");
#endif
  return changed;
}

}  // namespace zoe::train
