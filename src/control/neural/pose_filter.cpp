// SPDX-License-Identifier: MIT
#include "control/neural/pose_filter.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/lanes.h"
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

// The same for four joints. Only where no lane has large().
Vec3x4 small_rotation_vector(const Quat4& canonical_q) {
  const Quat4& q = canonical_q;
  const Float4 s = q.x * q.x + q.y * q.y + q.z * q.z;
  const Float4 k = Float4(2.0F) + s * (Float4(1.0F / 3) + s * (Float4(3.0F / 20) + s * Float4(5.0F / 56)));
  return {q.x * k, q.y * k, q.z * k};
}
Mask4 is_large(const Quat4& q) { return q.x * q.x + q.y * q.y + q.z * q.z > Float4(kSmall); }

Quat4 small_rotation(const Vec3x4& v) {
  const Float4 h = Float4(0.25F) * dot(v, v), one(1.0F);
  const Float4 s = Float4(0.5F) - h * (Float4(1.0F / 12) - h * Float4(1.0F / 240));
  return {v.x * s, v.y * s, v.z * s, one - h * (Float4(0.5F) - h * (Float4(1.0F / 24) - h * Float4(1.0F / 720)))};
}
Mask4 is_large(const Vec3x4& v) { return Float4(0.25F) * dot(v, v) > Float4(kSmall); }

// The gain on the speed at which the filter is critically damped. Benedict and Bordner (1962) is the usual choice. It
// overshoots slightly.
float speed_gain(float follow) { return 2 * (2 - follow) - 4 * std::sqrt(1 - follow); }

}  // namespace

bool PoseFilter::starts_at(std::span<const Quat> rotations) noexcept {
  if (started_) return false;
  std::copy(rotations.begin(), rotations.end(), rotations_.begin());
  std::fill(steps_.begin(), steps_.end(), Vec3{});
  started_ = true;
  return true;
}

void PoseFilter::follow_joint(float follow, float follow_speed, std::size_t j, Quat& rotation) noexcept {
  const Quat guess = small_rotation(steps_[j]) * rotations_[j];
  const Vec3 left = small_rotation_vector(rotation * conjugate(guess));
  steps_[j] += left * follow_speed;
  rotation = rotations_[j] = normalized(small_rotation(left * follow) * guess);
}

bool PoseFilter::follow_four(float follow, float follow_speed, std::size_t j, Quat* rotations) noexcept {
  const Vec3x4 steps = load4(&steps_[j]);
  const Quat4 guess = small_rotation(steps) * load4(&rotations_[j]);
  const Quat4 apart = canonical(load4(rotations) * conjugate(guess));
  const Vec3x4 left = small_rotation_vector(apart), followed = left * Float4(follow);
  if (any(is_large(steps) | is_large(apart) | is_large(followed))) return false;
  store4(steps + left * Float4(follow_speed), &steps_[j]);
  const Quat4 next = normalized(small_rotation(followed) * guess);
  store4(next, &rotations_[j]);
  store4(next, rotations);
  return true;
}

void PoseFilter::apply(float follow, std::span<Quat> rotations) noexcept {
  if (starts_at(rotations)) return;
  const float follow_speed = speed_gain(follow);
  for (std::size_t j = 0; j < rotations.size();) {
    if (j + 4 <= rotations.size() && follow_four(follow, follow_speed, j, &rotations[j])) {
      j += 4;
      continue;
    }
    const std::size_t end = std::min(j + 4, rotations.size());
    for (; j < end; ++j) follow_joint(follow, follow_speed, j, rotations[j]);
  }
}

void PoseFilter::apply_to_body(float follow, float body_follow, std::span<const std::uint8_t> is_leg,
                               std::span<Quat> rotations, Vec3& hips_in_root) noexcept {
  Position& hips = position_[0];
  if (starts_at(rotations)) {
    hips = {hips_in_root, {}};
    return;
  }
  const float leg_speed = speed_gain(follow), body_speed = speed_gain(body_follow);
  for (std::size_t j = 0; j < rotations.size(); ++j) {
    const bool of_leg = is_leg[j] != 0;
    follow_joint(of_leg ? follow : body_follow, of_leg ? leg_speed : body_speed, j, rotations[j]);
  }
  const Vec3 guess = hips.at + hips.step, left = hips_in_root - guess;
  hips.step += left * body_speed;
  hips_in_root = hips.at = guess + left * body_follow;
}

}  // namespace zoe::control
