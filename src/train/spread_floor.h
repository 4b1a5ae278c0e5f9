// SPDX-License-Identifier: MIT
// Part of Zoetrope. Columns with a smaller deviation are not divided by it.
#pragma once

namespace zoe::train {

// As in the reference's running statistics (ai4animationpy.md 1.8).
constexpr double kSpreadFloor = 1e-3;

}  // namespace zoe::train
