// SPDX-License-Identifier: MIT
// Part of Zoetrope. The plane that a character's model moves on, above uneven ground: a spring on the mean height of
// the ground around the root. Data for networks that see the ground is measured from the same plane.
#pragma once

#include <algorithm>
#include <cmath>

#include "zoe/ground/ground.h"
#include "zoe/math/spring.h"

namespace zoe::control {

struct GroundPlane {
  // Half of a change of the ground's height under the root is done in this time.
  static constexpr float kHalfLife_s = 0.12F;
  // The plane follows the mean of the ground around the root: steps become a slope. Distance of the samples, in leg
  // lengths.
  static constexpr float kSampleDistance = 0.3F;
  // The plane is drawn towards ground of at most this distance above or below it. So it moves at most at
  // spring_rate(kHalfLife_s) / 2 of it a second, 7 m/s, on any ground: a body sinks into a pit like a fall from 2.5 m.
  // Ground of smaller steps is not affected.
  static constexpr float kMostStep_m = 1;
  // A spring lags a target of constant speed by twice the inverse of its rate. It follows the ground this many steps
  // ahead.
  static float steps_ahead(float dt_s) { return dt_s > 0 ? 2 / spring_rate(kHalfLife_s) / dt_s : 0; }
  static float mean_height(const Ground& ground, Vec3 at, Vec3 reach) {
    return 0.25F * (ground.height(at.x - reach.x, at.z - reach.z) + 2 * ground.height(at.x, at.z) +
                    ground.height(at.x + reach.x, at.z + reach.z));
  }
  // World space. at: steps_ahead() of the root's steps before the root; reach: kSampleDistance along the facing. dt_s
  // of zero: at once. Where the ground is not finite the height stays.
  static Spring<float> after(const Spring<float>& height_m, const Ground& ground, Vec3 at, Vec3 reach, float dt_s) {
    const float target_m = mean_height(ground, at, reach);
    if (!std::isfinite(target_m)) return height_m;
    if (!(dt_s > 0)) return {target_m, 0};
    const float near_m = std::clamp(target_m, height_m.value - kMostStep_m, height_m.value + kMostStep_m);
    return advance(height_m, near_m, kHalfLife_s, dt_s);
  }
};

}  // namespace zoe::control
