// SPDX-License-Identifier: MIT
#include "zoe/motion/inertialize.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/check.h"
#include "zoe/math/portable_quat.h"

namespace zoe {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

// Signed angle of the part of q that turns about the unit axis, [-π, π].
float twist_about(Quat q, Vec3 axis) {
  return std::remainder(2 * portable_atan2(dot(Vec3{q.x, q.y, q.z}, axis), q.w), 2 * kPi);
}

// A difference that is too small has no direction. Then the direction of its change is used.
Vec3 direction_of(Vec3 offset, Vec3 change) { return normalized(length(offset) > 1e-7F ? offset : change, {1, 0, 0}); }

}  // namespace

QuinticDecay::QuinticDecay(float x0, float v0, float duration_s) {
  // Coefficients in double: the fifth power of short times.
  double t1 = duration_s;
  const double x = x0, v = v0;
  if (v < 0) t1 = std::min(t1, -5 * x / v);
  if (!(t1 > 1e-6)) return;  // It decays at once.
  // Below this acceleration the curve would cross zero.
  const double a = std::max(0.0, (-8 * v * t1 - 20 * x) / (t1 * t1));
  const double t2 = t1 * t1, t3 = t2 * t1;
  const double c[6] = {x,
                       v,
                       0.5 * a,
                       -(3 * a * t2 + 12 * v * t1 + 20 * x) / (2 * t3),
                       (3 * a * t2 + 16 * v * t1 + 30 * x) / (2 * t3 * t1),
                       -(a * t2 + 6 * v * t1 + 12 * x) / (2 * t3 * t2)};
  std::transform(c, c + 6, c_, [](double k) { return static_cast<float>(k); });
  end_s_ = static_cast<float>(t1);
}

float QuinticDecay::at(float time_s) const {
  if (time_s >= end_s_) return 0;
  float sum = 0;
  for (int k = 5; k >= 0; --k) sum = sum * time_s + c_[k];
  return sum;
}

void Inertialization::start(const TransitionStart& transition, float duration_s) {
  const std::size_t n = offsets_.size();
  ZOE_CHECK(transition.shown.rotations.size() == n && transition.shown_before.rotations.size() == n &&
                transition.target.rotations.size() == n && transition.dt_s > 0 && duration_s > 0,
            "Inertialization::start: poses of other sizes, or a step or duration that is not positive");
  const bool standing = transition.target_before.rotations.empty();
  ZOE_CHECK(standing || transition.target_before.rotations.size() == n, "Inertialization::start: target_before's size");
  const PoseView& target = transition.target;
  const PoseView& target_before = standing ? target : transition.target_before;
  const float rate = 1 / transition.dt_s;
  for (std::size_t j = 0; j < n; ++j) {
    Offset& offset = offsets_[j];
    const Vec3 now = transition.shown.translations[j] - target.translations[j];
    const Vec3 change = now - (transition.shown_before.translations[j] - target_before.translations[j]);
    offset.direction = direction_of(now, change);
    offset.distance = QuinticDecay(length(now), dot(change, offset.direction) * rate, duration_s);

    const Quat turn = canonical(transition.shown.rotations[j] * conjugate(target.rotations[j]));
    const Quat turn_before = transition.shown_before.rotations[j] * conjugate(target_before.rotations[j]);
    const Vec3 angle = portable_to_rotation_vector(turn);
    offset.axis = direction_of(angle, portable_to_rotation_vector(turn * conjugate(turn_before)));
    const float x0 = length(angle);
    const float step = std::remainder(x0 - twist_about(turn_before, offset.axis), 2 * kPi);
    offset.angle = QuinticDecay(x0, step * rate, duration_s);
  }
  time_s_ = 0;
  duration_s_ = duration_s;
}

void Inertialization::apply(float dt_s, std::span<Vec3> translations, std::span<Quat> rotations) {
  ZOE_CHECK(translations.size() == offsets_.size() && rotations.size() == offsets_.size(),
            "Inertialization::apply: a pose of another size");
  if (!active()) return;
  time_s_ += dt_s;
  for (std::size_t j = 0; j < offsets_.size(); ++j) {
    const Offset& offset = offsets_[j];
    translations[j] += offset.direction * offset.distance.at(time_s_);
    rotations[j] = normalized(portable_from_axis_angle(offset.axis, offset.angle.at(time_s_)) * rotations[j]);
  }
}

void Inertialization::describe(StateArchive& archive) {
  static_assert(sizeof(Offset) == 20 * sizeof(float), "only floats, and every one of them");
  archive.bits(std::span(offsets_));
  archive.bits(time_s_);
  archive.bits(duration_s_);
}

}  // namespace zoe
