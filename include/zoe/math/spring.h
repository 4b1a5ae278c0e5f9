// SPDX-License-Identifier: MIT
// Part of Zoetrope. Critically damped springs and exponential approach, solved exactly: the result does not depend on
// how a time span is divided into steps.
#pragma once

#include <cmath>

#include "zoe/math/portable_quat.h"
#include "zoe/math/quat.h"
#include "zoe/math/vec.h"

namespace zoe {

// Follows a goal without overshoot from rest. T: a number or a vector.
template <typename T>
struct Spring {
  T value{};
  T velocity{};  // Per second.

  friend constexpr bool operator==(const Spring&, const Spring&) = default;
};

// A rotation that follows a goal along the shorter arc.
struct RotationSpring {
  Quat value;
  Vec3 velocity;  // Angular velocity, radians per second, in the parent's axes.
};

// The spring's rate from its half-life: from rest, half of the distance is left after half_life_s. It is the w that
// solves (1 + w t) exp(-w t) = 1/2 at t = half_life_s. A half-life of zero or less means "at once".
inline float spring_rate(float half_life_s) { return half_life_s > 1e-6F ? 1.67834699F / half_life_s : 1.67834699e6F; }

// All that a step of dt_s >= 0 takes from the half-life. For many steps of the same length.
struct SpringStep {
  float rate = 0, decay = 1, dt_s = 0;

  static SpringStep of(float half_life_s, float dt_s) {
    const float w = spring_rate(half_life_s);
    return {w, portable_exp(-w * dt_s), dt_s};
  }
};

// Advances by one step towards a constant goal.
template <typename T>
Spring<T> advance(const Spring<T>& spring, T goal, const SpringStep& step) {
  // x'' = -2 w x' - w^2 (x - goal) has the solution (a + b t) exp(-w t) + goal.
  const T a = spring.value - goal;
  const T b = spring.velocity + a * step.rate;
  return {(a + b * step.dt_s) * step.decay + goal, (spring.velocity - b * (step.rate * step.dt_s)) * step.decay};
}
template <typename T>
Spring<T> advance(const Spring<T>& spring, T goal, float half_life_s, float dt_s) {
  return advance(spring, goal, SpringStep::of(half_life_s, dt_s));
}

inline RotationSpring advance(const RotationSpring& spring, Quat goal, float half_life_s, float dt_s) {
  // The same for the remaining rotation vector to the goal.
  const Vec3 left = portable_to_rotation_vector(spring.value * conjugate(goal));
  const Spring<Vec3> next = advance(Spring<Vec3>{left, spring.velocity}, Vec3{}, half_life_s, dt_s);
  return {normalized(portable_from_rotation_vector(next.value) * goal), next.velocity};
}

// First order: the distance halves every half_life_s. For cameras and blend weights, where a kink in speed is harmless.
template <typename T>
T approach(T value, T goal, float half_life_s, float dt_s) {
  const float left = half_life_s > 0 ? portable_exp2(-dt_s / half_life_s) : 0.0F;
  return goal + (value - goal) * left;
}

}  // namespace zoe
