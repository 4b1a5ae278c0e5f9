// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts that motion matching and its learned form share: springs that lead the root, warping, the
// time of the next search, switches without a jump, foot locking.
#pragma once

#include "zoe/control/body.h"
#include "zoe/control/controller.h"
#include "zoe/control/match/match_options.h"
#include "zoe/motion/inertialize.h"

#include "control/match/feature_space.h"

namespace zoe::control {

// State of one character between steps, independent of what it plays.
class SteeredState : public ControllerState {
 public:
  SteeredState(const Body& body, const FeatureSpace& space, const MatchOptions& options);

  int steps_since_search = 0;
  Vec3 searched_velocity_mps;  // The desired velocity at the last search.
  float searched_facing_rad = 0;

  // The root led by springs; and the decaying velocity of a switch, in its own axes.
  TrajectoryPoint led;
  features::ControlSeries ahead;
  Vec3 left_velocity_mps;
  float left_turn_rad_s = 0;
  Vec3 velocity_mps;  // Of the last step, in the root's axes.
  float turn_speed_rad_s = 0;

  // Poses in the root's space.
  Pose shown, shown_before, target, target_before;
  Inertialization inertialization;
  DeadBlend dead_blend;

  FootLockState feet;
  std::vector<float> query, wanted;  // [dims]

 protected:
  void describe(StateArchive& archive) override;
  bool move_space(const PlanarRoot& offset) noexcept override;

 private:
  MatchOptions::Blend blend_;  // The type that switches of this character use.
  bool soft_feet_;
};

// Immutable. Only the constructor allocates.
class Steering {
 public:
  Steering(Body body, const MatchOptions& options, double fps);

  const Body& body() const { return body_; }
  const MatchOptions& options() const { return options_; }
  float dt_s() const { return dt_s_; }

  // `shown` and `shown_before` must be set. Ends all transitions.
  void start(SteeredState& state) const noexcept;
  // Moves the root by the played step and the decaying velocity of a switch, warped towards the springs' root.
  PlanarRoot move_root(SteeredState& state, const PlanarRoot& before, const RootDelta& played,
                       const std::optional<PlayedWay>& way) const noexcept;
  // Moves the springs' root by the intent, pulls `root` to it, and predicts the trajectory.
  void lead(SteeredState& state, const Intent& intent, PlanarRoot& root) const noexcept;
  bool is_due(const SteeredState& state, const Intent& intent) const noexcept;
  void searched(SteeredState& state, const Intent& intent, const PlanarRoot& root) const noexcept;
  // `target` and `target_before` are the new motion, one and two steps before its first frame; `next` is the root's
  // step after that.
  void begin_switch(SteeredState& state, const RootDelta& next) const noexcept;
  // `shown` is the played pose. Adds the transitions, in root space, and writes `now` with locked feet. `now` has its
  // contacts already.
  void show(SteeredState& state, const PlanarRoot& root, CharacterFrame& now) const noexcept;

 private:
  void warp(const SteeredState& state, const PlanarRoot& before, const PlayedWay& way, Vec3& velocity_mps,
            float& turn_rad_s) const noexcept;

  Body body_;
  MatchOptions options_;
  std::vector<Leg> legs_;
  float dt_s_;
};

}  // namespace zoe::control
