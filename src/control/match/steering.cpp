// SPDX-License-Identifier: MIT
#include "control/match/steering.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/step_constants.h"
#include "zoe/math/portable.h"
#include "zoe/math/spring.h"

#include "control/hold_feet.h"
#include "control/space_move.h"
#include "control/state_parts.h"

namespace zoe::control {
namespace {

constexpr float kHipDrop_m = 0.1F, kSoften = 0.97F;

}  // namespace

SteeredState::SteeredState(const Body& body, const FeatureSpace& space, const MatchOptions& options)
    : ahead(features::ControlSeries::standing(space.times_ahead(), {})),
      shown(make_pose(*body.skeleton)),
      shown_before(shown),
      target(shown),
      target_before(shown),
      inertialization(body.skeleton->num_joints()),
      dead_blend(body.skeleton->num_joints()),
      feet(make_foot_lock_state(body.legs.size())),
      query(static_cast<std::size_t>(space.num_dims())),
      wanted(query),
      blend_(options.blend),
      soft_feet_(options.locks.soft_s > 0) {}

// Excluded are values that a step computes before it reads them (its velocities, target, target_before, wanted), and
// the unused blend.
bool SteeredState::move_space(const PlanarRoot& offset) noexcept {
  searched_facing_rad -= offset.facing_rad;
  control::move_space(offset, led.root);
  control::move_space(offset, ahead);
  control::move_space(offset, feet, soft_feet_);
  return true;
}

void SteeredState::describe(StateArchive& archive) {
  archive.number(steps_since_search, 0, 1 << 30);
  archive.bits(searched_velocity_mps);
  archive.bits(searched_facing_rad);
  control::describe(archive, led);
  control::describe(archive, ahead);
  archive.bits(left_velocity_mps);
  archive.bits(left_turn_rad_s);
  control::describe(archive, shown);
  control::describe(archive, shown_before);
  if (blend_ == MatchOptions::Blend::kInertialize) {
    inertialization.describe(archive);
  } else {
    dead_blend.describe(archive);
  }
  control::describe(archive, feet);
  archive.bits(std::span(query));
}

Steering::Steering(Body body, const MatchOptions& options, double fps)
    : body_(std::move(body)), options_(options), legs_(legs_of(body_)), dt_s_(static_cast<float>(1 / fps)) {}

void Steering::start(SteeredState& state) const noexcept {
  state.steps_since_search = 0;
  state.searched_velocity_mps = {};
  state.searched_facing_rad = 0;
  state.led = {};
  std::fill(state.ahead.roots.begin(), state.ahead.roots.end(), PlanarRoot{});
  std::fill(state.ahead.velocities.begin(), state.ahead.velocities.end(), Vec3{});
  state.left_velocity_mps = state.velocity_mps = {};
  state.left_turn_rad_s = state.turn_speed_rad_s = 0;
  state.feet.started = false;
  state.feet.hip_drop_m = 0;
  std::fill(state.feet.feet.begin(), state.feet.feet.end(), FootLockState::Foot{});
  const PoseView still = state.shown.view();
  state.inertialization.start({still, still, still, still, dt_s_}, dt_s_);
  state.dead_blend.start({still, still, still, still, dt_s_}, dt_s_);
}

PlanarRoot Steering::move_root(SteeredState& state, const PlanarRoot& before, const RootDelta& played,
                               const std::optional<PlayedWay>& way) const noexcept {
  const float rate = 1 / dt_s_;
  state.left_velocity_mps = approach(state.left_velocity_mps, Vec3{}, options_.root_half_life_s, dt_s_);
  state.left_turn_rad_s = approach(state.left_turn_rad_s, 0.0F, options_.root_half_life_s, dt_s_);
  Vec3 velocity = played.translation * rate + state.left_velocity_mps;
  float turn = played.turn_rad * rate + state.left_turn_rad_s;
  state.velocity_mps = velocity;
  state.turn_speed_rad_s = turn;
  if (way) warp(state, before, *way, velocity, turn);
  return moved_by(before, {velocity * dt_s_, turn * dt_s_});
}

// Stretches and bends the played step by comparing its target with the springs'. A standing body is not warped.
void Steering::warp(const SteeredState& state, const PlanarRoot& before, const PlayedWay& way, Vec3& velocity_mps,
                    float& turn_rad_s) const noexcept {
  const RootDelta wanted = delta_between(before, state.ahead.root_at(static_cast<double>(way.time_s)));
  const float played_m = portable_hypot(way.delta.translation.x, way.delta.translation.z);
  const float wanted_m = portable_hypot(wanted.translation.x, wanted.translation.z);
  if (played_m < kLeastWarped_m || wanted_m < kLeastWarped_m) return;
  velocity_mps = velocity_mps * std::clamp(wanted_m / played_m, 1 - options_.stretch, 1 + options_.stretch);
  const float share = std::min(played_m / way.time_s / kFullyWarped_mps, 1.0F);
  const float bend = wrapped(wanted.turn_rad - way.delta.turn_rad) / way.time_s;
  turn_rad_s += share * std::clamp(bend, -options_.bend_rad_s, options_.bend_rad_s);
}

void Steering::lead(SteeredState& state, const Intent& intent, PlanarRoot& root) const noexcept {
  const float speed = portable_hypot(state.velocity_mps.x, state.velocity_mps.z);
  root = control::lead(state.led, intent, root, speed, state.turn_speed_rad_s, dt_s_, options_.trajectory,
                       options_.correction, options_.lead);
  predict(state.led, intent, state.ahead, options_.trajectory);
  ++state.steps_since_search;
}

bool Steering::is_due(const SteeredState& state, const Intent& intent) const noexcept {
  const float waited_s = static_cast<float>(state.steps_since_search) * dt_s_;
  if (waited_s >= options_.search_interval_s - 0.5F * dt_s_) return true;
  const float facing = intent.facing_at(0).value_or(state.searched_facing_rad);
  return length(intent.velocity_at(0) - state.searched_velocity_mps) > options_.sudden_velocity_mps ||
         std::abs(wrapped(facing - state.searched_facing_rad)) > options_.sudden_facing_rad;
}

void Steering::searched(SteeredState& state, const Intent& intent, const PlanarRoot& root) const noexcept {
  state.steps_since_search = 0;
  state.searched_velocity_mps = intent.velocity_at(0);
  state.searched_facing_rad = intent.facing_at(0).value_or(root.facing_rad);
}

void Steering::begin_switch(SteeredState& state, const RootDelta& next) const noexcept {
  const TransitionStart start{.shown = state.shown.view(),
                              .shown_before = state.shown_before.view(),
                              .target = state.target.view(),
                              .target_before = state.target_before.view(),
                              .dt_s = dt_s_};
  if (options_.blend == MatchOptions::Blend::kInertialize) {
    state.inertialization.start(start, options_.blend_s);
  } else {
    state.dead_blend.start(start, options_.blend_s, kDeadBlendHalfLife_s);
  }
  state.left_velocity_mps = state.velocity_mps - next.translation * (1 / dt_s_);
  state.left_turn_rad_s = state.turn_speed_rad_s - next.turn_rad / dt_s_;
}

void Steering::show(SteeredState& state, const PlanarRoot& root, CharacterFrame& now) const noexcept {
  if (options_.blend == MatchOptions::Blend::kInertialize) {
    state.inertialization.apply(dt_s_, state.shown.translations, state.shown.rotations);
  } else {
    state.dead_blend.apply(dt_s_, state.shown.translations, state.shown.rotations);
  }
  now.root = root;
  const Quat turn = rotation_of(root);
  const auto parents = body_.skeleton->parents();
  for (std::size_t j = 0; j < parents.size(); ++j) {
    const bool is_top = parents[j] == kNoJoint;
    const Vec3 place = state.shown.translations[j];
    now.pose.translations[j] = is_top ? root.position + rotate(turn, place) : place;
    now.pose.rotations[j] = is_top ? normalized(turn * state.shown.rotations[j]) : state.shown.rotations[j];
  }
  if (!options_.lock_feet) return;
  HoldFeet{.body = &body_,
           .legs = legs_,
           .contacts = now.contacts,
           .options = options_.locks,
           .dt_s = dt_s_,
           .hard_hip_drop_m = kHipDrop_m,
           .soften = kSoften}
      .run(state.feet, now.pose);
}

}  // namespace zoe::control
