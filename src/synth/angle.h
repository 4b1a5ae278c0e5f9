// SPDX-License-Identifier: MIT
// Part of Zoetrope. Angles are in radians; plans of bodies state them in degrees.
#pragma once

#include <numbers>

namespace zoe::synth {

inline constexpr float kPi = std::numbers::pi_v<float>;
inline constexpr float kDeg = kPi / 180.0F;

}  // namespace zoe::synth
