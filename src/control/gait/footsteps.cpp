// SPDX-License-Identifier: MIT
#include "control/gait/footsteps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/math/portable_quat.h"
#include "zoe/math/smooth_step.h"
#include "zoe/math/spring.h"

namespace zoe::control {
namespace {

// A foot farther than this from home steps even where the body stands; in leg lengths.
constexpr float kOffHome = 0.04F;
// A swing begins in this first part of its time, or not before the next stride.
constexpr float kLateStart = 0.35F;
// Fractions of a swing at its begin and at its end in which the foot is only lifted, or put down.
constexpr double kUpright = 0.1;
// A foot that is left behind by more than this steps at once; in lengths of a usual contact.
constexpr float kLeftBehind = 0.9F;

Quat gait_facing(float facing_rad) { return portable_from_axis_angle(Vec3{0, 1, 0}, facing_rad); }

Vec3 home_of(const GaitLeg& leg, const PlanarRoot& root) {
  Vec3 home = root.position + rotate(gait_facing(root.facing_rad), leg.home_m);
  home.y = leg.home_m.y;
  return home;
}

// The root after a time, with constant speed and turn.
PlanarRoot ahead_of(const TrajectoryPoint& body, float time_s) {
  const float turn = body.turn_speed_rad_s * time_s;
  return {body.root.position + rotate(gait_facing(0.5F * turn), body.velocity_mps) * time_s,
          body.root.facing_rad + turn};
}

}  // namespace

Rhythm rhythm_of(const GaitPlan& plan, Vec3 velocity_mps, float turn_rad_s) noexcept {
  const GaitSettings& s = plan.settings;
  float radius_m = 0;
  for (const GaitLeg& leg : plan.legs) radius_m = std::max(radius_m, portable_hypot(leg.home_m.x, leg.home_m.z));
  const float speed = length(velocity_mps), feet_mps = speed + std::abs(turn_rad_s) * radius_m;
  Rhythm rhythm;
  rhythm.effort = smooth_step(feet_mps / (0.6F * s.walk_mps));
  rhythm.fast = smooth_step((feet_mps - s.walk_mps) / std::max(s.run_mps - s.walk_mps, 1e-3F));
  rhythm.duty = s.walk_duty + (s.run_duty - s.walk_duty) * rhythm.fast;
  // Strides lengthen with the root of the speed: near Alexander's relation, stride ~ speed^0.6.
  rhythm.stride_hz = s.stride_hz * std::sqrt(std::clamp(feet_mps / s.walk_mps, 0.7F, 16.0F));
  if (plan.locomotion == Locomotion::kCrawl || plan.locomotion == Locomotion::kSwim)
    rhythm.stride_hz = s.stride_hz * std::clamp(speed / s.walk_mps, 0.1F, 8.0F);
  return rhythm;
}

float leg_clock(const GaitLeg& leg, float phase, float fast) noexcept {
  // The shorter way from one order of footfalls to the other.
  float change = leg.fast_phase - leg.phase;
  change -= std::round(change);
  const float clock = phase - leg.phase - change * fast;
  return clock - std::floor(clock);
}

void stand_feet(const GaitPlan& plan, const PlanarRoot& root, std::span<FootStep> feet) noexcept {
  for (std::size_t i = 0; i < feet.size(); ++i) {
    feet[i] = {};
    feet[i].at = feet[i].from = home_of(plan.legs[i], root);
    feet[i].facing_rad = feet[i].from_facing_rad = root.facing_rad;
  }
}

void advance_feet(const GaitPlan& plan, const TrajectoryPoint& body, const Rhythm& rhythm, float phase, float dt_s,
                  std::span<FootStep> feet) noexcept {
  const GaitSettings& s = plan.settings;
  const float swing_s = (1 - rhythm.duty) / rhythm.stride_hz, contact_s = rhythm.duty / rhythm.stride_hz;
  const float usual_m = s.walk_mps * s.walk_duty / s.stride_hz;
  const bool moves = length(body.velocity_mps) > 0.05F * s.walk_mps || std::abs(body.turn_speed_rad_s) > 0.1F;
  std::size_t num_swinging = 0;
  for (const FootStep& foot : feet) num_swinging += foot.planted() ? 0 : 1;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const GaitLeg& leg = plan.legs[i];
    FootStep& foot = feet[i];
    const float clock = leg_clock(leg, phase, rhythm.fast);
    if (foot.planted()) {
      const Vec3 off = foot.at - home_of(leg, body.root);
      const float off_m = portable_hypot(off.x, off.z);
      const float turned = std::abs(body.root.facing_rad - foot.facing_rad);
      const bool due = clock >= rhythm.duty && clock < rhythm.duty + kLateStart * (1 - rhythm.duty);
      const bool behind = off_m > kLeftBehind * std::max(usual_m, length(body.velocity_mps) * contact_s) &&
                          2 * num_swinging < feet.size();
      const bool away = off_m > kOffHome * s.leg_length_m || turned > 0.1F;
      // A body that stands does not wait for its clocks.
      const bool settles = !moves && away && 2 * num_swinging + 2 <= feet.size();
      if ((due && (moves || away)) || behind || settles) {
        foot.swing = 0;
        foot.from = foot.at;
        foot.from_facing_rad = foot.facing_rad;
        ++num_swinging;
      }
    }
    float roll = leg.roll_rad * rhythm.effort;
    if (foot.planted()) {
      roll *= moves ? smooth_step((clock / rhythm.duty - 0.6F) / 0.4F) * (clock < rhythm.duty ? 1.0F : 0.0F) : 0.0F;
    } else {
      const bool descends = static_cast<double>(foot.swing) >= 1 - kUpright;
      foot.swing = std::min(foot.swing + dt_s / swing_s, 1.0F);
      const float left_s = (1 - foot.swing) * swing_s;
      // In the middle of its contact the foot is at home.
      const PlanarRoot then = ahead_of(body, left_s + 0.5F * contact_s);
      const Vec3 goal = home_of(leg, then);
      // Up first, then forward, then down: a foot near the ground hardly moves along it.
      const float t = smoother_step((static_cast<double>(foot.swing) - kUpright) / (1 - 2 * kUpright));
      const float far_m = distance(goal, foot.from);
      const float height = s.walk_step_m + (s.run_step_m - s.walk_step_m) * rhythm.fast;
      foot.lift_m = height * std::clamp(far_m / std::max(0.7F * usual_m, 1e-6F), 0.35F, 1.0F);
      if (!descends) {
        foot.at = lerp(foot.from, goal, t);
        foot.facing_rad = foot.from_facing_rad + (then.facing_rad - foot.from_facing_rad) * t;
      }
      foot.at.y = leg.home_m.y;
      if (!foot.planted()) {
        const float u = std::abs(2 * foot.swing - 1);
        foot.at.y += foot.lift_m * (1 - u * u * u * u);
      }
      const float u = foot.swing;
      roll = roll * (1 - smooth_step(u / 0.5F)) + leg.fold_rad * rhythm.effort * 4 * u * (1 - u);
    }
    foot.roll_rad = approach(foot.roll_rad, roll, 0.015F, dt_s);
  }
}

}  // namespace zoe::control
