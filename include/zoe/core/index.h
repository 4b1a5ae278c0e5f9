// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joints and frames are numbered by int, arrays by std::size_t. idx() converts.
#pragma once

#include <cstddef>

namespace zoe {

// i >= 0.
constexpr std::size_t idx(int i) { return static_cast<std::size_t>(i); }

}  // namespace zoe
