// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joints, frames and the like are counted by int, arrays by std::size_t: the one way between.
#pragma once

#include <cstddef>

namespace zoe {

// i >= 0.
constexpr std::size_t idx(int i) { return static_cast<std::size_t>(i); }

}  // namespace zoe
