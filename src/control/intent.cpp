// SPDX-License-Identifier: MIT
#include "zoe/control/intent.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "zoe/control/step_constants.h"
#include "zoe/control/style_range.h"
#include "zoe/math/portable.h"

namespace zoe::control {
namespace {

constexpr float kTwoPi = 6.2831853F;

std::optional<float> sound_angle(std::optional<float> angle_rad) {
  if (!angle_rad || !std::isfinite(*angle_rad)) return {};
  return wrapped(*angle_rad);
}

Vec3 sound_velocity(Vec3 velocity, float max_speed) {
  velocity.y = 0;
  for (std::size_t axis = 0; axis < 3; axis += 2) {
    if (std::isnan(velocity[axis])) velocity[axis] = 0;
    // Before squaring: a huge stick must not overflow.
    velocity[axis] = std::clamp(velocity[axis], -1e6F, 1e6F);
  }
  const float speed = length(velocity);
  return speed > max_speed ? velocity * (max_speed / speed) : velocity;
}

void make_sound(std::array<float, kMaxLabels>& labels, float least, float most) {
  for (float& label : labels) label = std::isfinite(label) ? std::clamp(label, least, most) : 0.0F;
}

std::optional<float> facing_of(const WantedMotion& wanted) {
  if (wanted.facing_rad) return wanted.facing_rad;
  if (length(wanted.velocity_mps) < kLeastSpeedWithFacing_mps) return {};
  return portable_atan2(wanted.velocity_mps.x, wanted.velocity_mps.z);
}

}  // namespace

const char* to_string(Gait gait) {
  switch (gait) {
    case Gait::kAuto:
      return "auto";
    case Gait::kStand:
      return "stand";
    case Gait::kWalk:
      return "walk";
    case Gait::kJog:
      return "jog";
    case Gait::kRun:
      return "run";
    case Gait::kCrouch:
      return "crouch";
  }
  return "?";
}

Intent Intent::move(Vec3 velocity_mps, std::optional<float> facing_rad) {
  Intent intent;
  intent.wanted[0] = {0, velocity_mps, facing_rad};
  return intent;
}

Vec3 Intent::velocity_at(float time_s) const {
  for (int i = num_wanted - 1; i >= 0; --i) {
    const WantedMotion& here = wanted[static_cast<std::size_t>(i)];
    if (time_s < here.time_s && i > 0) continue;
    if (i == num_wanted - 1) return here.velocity_mps;
    const WantedMotion& next = wanted[static_cast<std::size_t>(i + 1)];
    const float t = (time_s - here.time_s) / std::max(next.time_s - here.time_s, 1e-6F);
    return lerp(here.velocity_mps, next.velocity_mps, std::clamp(t, 0.0F, 1.0F));
  }
  return {};
}

std::optional<float> Intent::facing_at(float time_s) const {
  for (int i = num_wanted - 1; i >= 0; --i) {
    const WantedMotion& here = wanted[static_cast<std::size_t>(i)];
    if (time_s < here.time_s && i > 0) continue;
    const std::optional<float> from = facing_of(here);
    if (i == num_wanted - 1) return from;
    const WantedMotion& next = wanted[static_cast<std::size_t>(i + 1)];
    const std::optional<float> to = facing_of(next);
    if (!from || !to) return from ? from : to;
    const float t = (time_s - here.time_s) / std::max(next.time_s - here.time_s, 1e-6F);
    return *from + wrapped(*to - *from) * std::clamp(t, 0.0F, 1.0F);
  }
  return {};
}

Intent sanitised(const Intent& intent, const IntentLimits& limits) {
  Intent out = intent;
  out.num_wanted = std::clamp(intent.num_wanted, 1, kMaxWanted);
  float time_s = 0;
  for (int i = 0; i < out.num_wanted; ++i) {
    WantedMotion& wanted = out.wanted[static_cast<std::size_t>(i)];
    wanted.velocity_mps = sound_velocity(wanted.velocity_mps, limits.max_speed_mps);
    wanted.facing_rad = sound_angle(wanted.facing_rad);
    // The future ends after a minute; later times are moved there.
    if (!(wanted.time_s >= time_s)) wanted.time_s = time_s;
    wanted.time_s = i == 0 ? 0 : std::min(wanted.time_s, 60.0F);
    time_s = wanted.time_s;
  }
  make_sound(out.styles, kLeastStyle, kMostStyle);
  make_sound(out.actions, 0, 1);
  if (static_cast<unsigned>(out.gait) > static_cast<unsigned>(Gait::kCrouch)) out.gait = Gait::kAuto;
  if (out.goal) {
    out.goal->facing_rad = sound_angle(out.goal->facing_rad);
    Vec3& position = out.goal->position;
    if (!is_finite(position)) {
      out.goal.reset();
    } else {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        position[axis] = std::clamp(position[axis], -limits.max_distance_m, limits.max_distance_m);
      }
    }
  }
  return out;
}

Intent seen_from(const PlanarRoot& place, const Intent& intent) {
  Intent out = intent;
  const auto turned = [&](std::optional<float> facing) {
    return facing ? std::optional<float>(wrapped(*facing - place.facing_rad)) : facing;
  };
  const Quat place_from_world = conjugate(rotation_of(place));
  for (WantedMotion& wanted :
       std::span(out.wanted).first(static_cast<std::size_t>(std::clamp(out.num_wanted, 0, kMaxWanted)))) {
    wanted.velocity_mps = rotate(place_from_world, wanted.velocity_mps);
    wanted.facing_rad = turned(wanted.facing_rad);
  }
  if (out.goal) {
    out.goal->position = rotate(place_from_world, out.goal->position - place.position);
    out.goal->facing_rad = turned(out.goal->facing_rad);
  }
  return out;
}

float wrapped(float angle_rad) {
  // std::remainder is slow, and leaves most angles as they are.
  return std::abs(angle_rad) < 3.14159F ? angle_rad : std::remainder(angle_rad, kTwoPi);
}

}  // namespace zoe::control
