// SPDX-License-Identifier: MIT
// Part of Zoetrope. The arithmetic of controllers and networks in this process. Peers of a network game that run on
// different machines need the deterministic one; see docs/control.md, "One arithmetic".
#pragma once

#include <cstdint>

namespace zoe {

enum class Arithmetic : std::uint8_t {
  kFast,           // Products are added with one rounding where the machine can. Bits depend on the instruction set.
  kDeterministic,  // The same bits on every instruction set. Networks take up to twice the time.
};

// kFast unless the environment has ZOE_DETERMINISTIC=1. A change holds for all later ticks; not allowed while another
// thread ticks.
Arithmetic arithmetic() noexcept;
void set_arithmetic(Arithmetic arithmetic) noexcept;

}  // namespace zoe
