// SPDX-License-Identifier: MIT
// Part of Zoetrope. The weights that a style may have in an intent.
#pragma once

namespace zoe::control {

// Below 0 and above 1 styles are exaggerated.
constexpr float kLeastStyle = -1, kMostStyle = 2;

}  // namespace zoe::control
