// SPDX-License-Identifier: MIT
// What an intent means to a character: in its model's space, and towards a goal.
#include <algorithm>
#include <cmath>

#include "zoe/control/command.h"
#include "zoe/control/controller.h"
#include "zoe/control/trajectory.h"

#include "control/goal_watch.h"

namespace zoe::control {
namespace {

// Bodies slow down this long before a goal, at their own speed: a person within a metre. Slow bodies that slowed down
// within a metre too would creep, as none of their data does.
constexpr float kSlowing_s = 1 / 1.4F;
// A goal nearer than this, and more aside than that, is turned to before it is walked to.
constexpr float kTurnFirst_m = 0.8F, kTurnFirst_rad = 1.2F;

}  // namespace

Intent Controller::intent_for(ControllerState& state, const Intent& intent) const noexcept {
  Intent sound = sanitised(intent);
  const bool has_velocity = std::any_of(sound.wanted.begin(), sound.wanted.begin() + sound.num_wanted,
                                        [](const WantedMotion& w) { return length(w.velocity_mps) > 0; });
  // A path around something leads away from its goal at times: only a straight line shows that a goal is out of reach.
  if (!sound.goal || has_velocity) {
    state.watched_goal_.reset();
  } else if (!state.watched_goal_ ||
             planar_distance(state.watched_goal_->position, sound.goal->position) > kNearerBy_m) {
    state.watched_goal_ = sound.goal;
    state.nearest_m_ = 1e30F;
    state.no_nearer_s_ = 0;
    state.progress_ = Progress::kMoving;
  }
  sound = scaled(seen_from(state.world_from_model_, sound), 1 / state.proportions_.legs);
  if (!sound.goal || has_velocity) return sound;

  if (state.progress_ == Progress::kUnreachable) {
    for (WantedMotion& wanted : sound.wanted) wanted.velocity_mps = {};
    return sound;
  }
  // A goal without desired velocities: straight to it at the speed of the gait, slowing down at the end.
  Vec3 to_goal = sound.goal->position - state.now_.root.position;
  to_goal.y = 0;
  const float left_m = length(to_goal);
  sound.num_wanted = 1;
  sound.wanted[0] = {0, {}, sound.goal->facing_rad};
  if (left_m > kArrived_m) {
    const float full_mps = motion_range_.speed_mps(sound.gait), slowing_m = std::max(kSlowing_s * full_mps, kArrived_m);
    const float speed_mps = full_mps * std::min(left_m / slowing_m, 1.0F);
    sound.wanted[0].velocity_mps = to_goal * (std::max(speed_mps, kSlowestShare * full_mps) / left_m);
    if (left_m > slowing_m) sound.wanted[0].facing_rad.reset();
    // A goal close behind is inside of the curve of a walk. The body turns on the spot first, step by step.
    const float heading = portable_atan2(to_goal.x, to_goal.z);
    const bool aside = std::abs(wrapped(heading - state.now_.root.facing_rad)) > kTurnFirst_rad;
    if (aside && left_m < kTurnFirst_m && !sound.goal->facing_rad && !state.deed()) sound.wanted[0] = {0, {}, heading};
  }
  return sound;
}

Vec3 Controller::desired_velocity_mps(const ControllerState& state, const Intent& intent_model) noexcept {
  return rotate(rotation_of(state.world_from_model_), intent_model.velocity_at(0)) * state.proportions_.legs;
}

void Controller::change_velocity(ControllerState& state, Vec3 change_mps, Intent& intent_model) noexcept {
  const Vec3 change =
      rotate(conjugate(rotation_of(state.world_from_model_)), change_mps) * (1 / state.proportions_.legs);
  for (WantedMotion& wanted : intent_model.wanted) wanted.velocity_mps += change;
  // A character that avoids others does not approach its goal. The goal must not count as unreachable for that reason.
  if (length(change_mps) > kNearerBy_m) state.no_nearer_s_ = 0;
}

}  // namespace zoe::control
