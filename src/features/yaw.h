// SPDX-License-Identifier: MIT
// Part of Zoetrope. Turns about +Y by (sin, cos) of the facing, for roots. Cheaper than quaternions.
#pragma once

#include <cmath>
#include <numbers>

#include "zoe/math/portable.h"
#include "zoe/math/vec.h"

namespace zoe::features {

struct Yaw {
  float sine = 0, cosine = 1;

  static Yaw of(float facing_rad) {
    const SineCosine turn = sine_cosine(facing_rad);
    return {static_cast<float>(turn.sine), static_cast<float>(turn.cosine)};
  }
  // From model axes into the root's axes, and back.
  Vec3 into(Vec3 v) const { return {cosine * v.x - sine * v.z, v.y, sine * v.x + cosine * v.z}; }
  Vec3 out_of(Vec3 v) const { return {cosine * v.x + sine * v.z, v.y, cosine * v.z - sine * v.x}; }
};

// The angle in [-pi, pi]. std::remainder is slow, and leaves most angles as they are.
inline float within_half_turn(float angle_rad) {
  constexpr float kTurn = 2 * std::numbers::pi_v<float>;
  return std::abs(angle_rad) < 3.14159F ? angle_rad : std::remainder(angle_rad, kTurn);
}

}  // namespace zoe::features
