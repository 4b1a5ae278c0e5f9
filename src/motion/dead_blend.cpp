// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/check.h"
#include "zoe/math/portable_quat.h"
#include "zoe/motion/inertialize.h"

namespace zoe {
namespace {

// A fraction of the rotation q, in the direction given by q's own sign (up to a whole turn).
Quat part_of(Quat q, float share) {
  const Vec3 v{q.x, q.y, q.z};
  const float sine = length(v);
  if (!(sine > 1e-7F)) return {};
  return portable_from_axis_angle(v / sine, 2 * portable_atan2(sine, q.w) * share);
}

}  // namespace

void DeadBlend::start(const TransitionStart& transition, float duration_s, float half_life_s) {
  const std::size_t n = joints_.size();
  ZOE_CHECK(transition.shown.rotations.size() == n && transition.shown_before.rotations.size() == n &&
                transition.target.rotations.size() == n && transition.dt_s > 0 && duration_s > 0 && half_life_s > 0,
            "DeadBlend::start: poses of other sizes, or a time that is not positive");
  const float rate = 1 / transition.dt_s;
  for (std::size_t j = 0; j < n; ++j) {
    Joint& joint = joints_[j];
    joint.translation = transition.shown.translations[j];
    joint.velocity = (joint.translation - transition.shown_before.translations[j]) * rate;
    joint.rotation = transition.shown.rotations[j];
    const Quat turn = joint.rotation * conjugate(transition.shown_before.rotations[j]);
    joint.angular_velocity = portable_to_rotation_vector(turn) * rate;
    joint.to_target = canonical(transition.target.rotations[j] * conjugate(joint.rotation));
  }
  time_s_ = 0;
  duration_s_ = duration_s;
  half_life_s_ = half_life_s;
}

void DeadBlend::apply(float dt_s, std::span<Vec3> translations, std::span<Quat> rotations) {
  ZOE_CHECK(translations.size() == joints_.size() && rotations.size() == joints_.size(),
            "DeadBlend::apply: a pose of another size");
  if (!active()) return;
  time_s_ += dt_s;
  const float t = std::min(time_s_ / duration_s_, 1.0F);
  const float share = t * t * (3 - 2 * t);
  // Integral of 2^(-t/h): the equivalent number of seconds at full speed.
  const float worth_s = half_life_s_ / std::numbers::ln2_v<float> * (1 - portable_exp2(-time_s_ / half_life_s_));
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    Joint& joint = joints_[j];
    translations[j] = lerp(joint.translation + joint.velocity * worth_s, translations[j], share);
    const Quat gone = portable_from_rotation_vector(joint.angular_velocity * worth_s) * joint.rotation;
    joint.to_target = nearest_to(joint.to_target, rotations[j] * conjugate(gone));
    rotations[j] = normalized(part_of(joint.to_target, share) * gone);
  }
}

void DeadBlend::describe(StateArchive& archive) {
  static_assert(sizeof(Joint) == 17 * sizeof(float), "only floats, and every one of them");
  archive.bits(std::span(joints_));
  archive.bits(time_s_);
  archive.bits(duration_s_);
  archive.bits(half_life_s_);
}

}  // namespace zoe
