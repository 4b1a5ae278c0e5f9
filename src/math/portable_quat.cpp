// SPDX-License-Identifier: MIT
// Compiled without fused operations.
#include "zoe/math/portable_quat.h"

#include <cmath>

namespace zoe {

Quat portable_from_axis_angle(Vec3 axis, float angle_rad) noexcept {
  const SineCosine half = sine_cosine(0.5 * static_cast<double>(angle_rad));
  const auto s = static_cast<float>(half.sine);
  return {axis.x * s, axis.y * s, axis.z * s, static_cast<float>(half.cosine)};
}

Vec3 portable_to_rotation_vector(Quat q) noexcept {
  q = canonical(q);
  const float s = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const float k = s > 1e-12F ? 2 * portable_atan2(s, q.w) / s : 2.0F;
  return {q.x * k, q.y * k, q.z * k};
}

Quat portable_from_rotation_vector(Vec3 v) noexcept {
  const float angle_rad = length(v);
  const SineCosine half = sine_cosine(0.5 * static_cast<double>(angle_rad));
  const float k = angle_rad > 1e-6F ? static_cast<float>(half.sine) / angle_rad : 0.5F;
  return normalized(Quat{v.x * k, v.y * k, v.z * k, static_cast<float>(half.cosine)});
}

}  // namespace zoe
