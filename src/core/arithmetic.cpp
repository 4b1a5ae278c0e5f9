// SPDX-License-Identifier: MIT
#include "zoe/core/arithmetic.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace zoe {
namespace {

std::atomic<Arithmetic>& chosen() {
  static std::atomic<Arithmetic> value = [] {
    const char* word = std::getenv("ZOE_DETERMINISTIC");
    return word != nullptr && std::strcmp(word, "1") == 0 ? Arithmetic::kDeterministic : Arithmetic::kFast;
  }();
  return value;
}

}  // namespace

Arithmetic arithmetic() noexcept { return chosen().load(std::memory_order_relaxed); }
void set_arithmetic(Arithmetic arithmetic) noexcept { chosen().store(arithmetic, std::memory_order_relaxed); }

}  // namespace zoe
