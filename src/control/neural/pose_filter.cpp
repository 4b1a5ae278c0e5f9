// SPDX-License-Identifier: MIT
#include "control/neural/pose_filter.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/portable_quat.h"

namespace zoe::control {
namespace {

// A joint hardly turns by half a radian in a step. Below that, series with float precision replace the trigonometry.
constexpr float kSmall = 0.25F * 0.25F;  // Square of the sine of half an angle.

Vec3 small_rotation_vector(Quat q) {
  q = canonical(q);
  const float s = q.x * q.x + q.y * q.y + q.z * q.z;
  if (s > kSmall) return portable_to_rotation_vector(q);
  const float k = 2 + s * (1.0F / 3 + s * (3.0F / 20 + s * (5.0F / 56)));
  return {q.x * k, q.y * k, q.z * k};
}

Quat small_rotation(Vec3 v) {
  const float h = 0.25F * dot(v, v);  // Square of half the angle.
  if (h > kSmall) return portable_from_rotation_vector(v);
  const float s = 0.5F - h * (1.0F / 12 - h * (1.0F / 240));
  return {v.x * s, v.y * s, v.z * s, 1 - h * (0.5F - h * (1.0F / 24 - h * (1.0F / 720)))};
}

}  // namespace

void PoseFilter::apply(float follow, std::span<Quat> rotations) noexcept {
  if (!started_) {
    std::copy(rotations.begin(), rotations.end(), rotations_.begin());
    std::fill(steps_.begin(), steps_.end(), Vec3{});
    started_ = true;
    return;
  }
  // The gain on the speed at which the filter is critically damped. Benedict and Bordner (1962) is the usual choice. It
  // overshoots slightly.
  const float follow_speed = 2 * (2 - follow) - 4 * std::sqrt(1 - follow);
  for (std::size_t j = 0; j < rotations.size(); ++j) {
    const Quat guess = small_rotation(steps_[j]) * rotations_[j];
    const Vec3 left = small_rotation_vector(rotations[j] * conjugate(guess));
    steps_[j] += left * follow_speed;
    rotations[j] = rotations_[j] = normalized(small_rotation(left * follow) * guess);
  }
}

}  // namespace zoe::control
