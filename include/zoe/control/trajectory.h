// SPDX-License-Identifier: MIT
// Part of Zoetrope. The future trajectory of a character that follows its intent: critically damped springs on velocity
// and facing. They are solved exactly, so the frame rate does not matter.
#pragma once

#include "zoe/control/intent.h"
#include "zoe/features/control_series.h"

namespace zoe::control {

struct TrajectoryOptions {
  float velocity_half_life_s = 0.2F;  // Half-life of a change of velocity.
  float facing_half_life_s = 0.2F;
  float max_turn_speed_rad_s = 6.3F;  // So a turn by 180 degrees takes at least half a second.
  // A body is not led where its data never goes. Speeds backward and to the side, at most; kNoLimit_mps: any.
  static constexpr float kNoLimit_mps = 100;
  float back_mps = kNoLimit_mps, side_mps = kNoLimit_mps;
  // A body that is asked to turn round walks on at least this fast meanwhile: an arc, not a turn on the spot.
  float turning_mps = 0;
};

// The desired velocity within these limits, for a body that faces `facing_rad` and shall face `facing_goal_rad`.
Vec3 within_reach(Vec3 velocity_mps, float facing_rad, std::optional<float> facing_goal_rad,
                  const TrajectoryOptions& options);

// A root that is led by springs. All values are in one space.
struct TrajectoryPoint {
  PlanarRoot root;
  Vec3 velocity_mps, acceleration_mps2;
  float turn_speed_rad_s = 0;
};

// State after dt_s >= 0 with constant targets, within_reach() of the present facing. Without a facing the present one
// is kept.
TrajectoryPoint advance(const TrajectoryPoint& point, Vec3 velocity_goal_mps, std::optional<float> facing_goal_rad,
                        float dt_s, const TrajectoryOptions& options = {});

// Fills roots and velocities at out.times (>= 0), from `now`, led by the intent over the future. Never allocates: out
// is sized by ControlSeries::standing().
void predict(const TrajectoryPoint& now, const Intent& intent, features::ControlSeries& out,
             const TrajectoryOptions& options = {});

// Pulls a root towards its target slowly enough to be invisible: half of the distance per half-life, but never faster
// than the fraction `share` of the character's own speed (and turn speed). So a standing character does not slide. It
// never teleports.
struct RootCorrection {
  float position_half_life_s = 0.1F;
  float facing_half_life_s = 0.2F;
  float share = 0.5F;
};
PlanarRoot corrected(const PlanarRoot& root, const PlanarRoot& wanted, float speed_mps, float turn_speed_rad_s,
                     float dt_s, const RootCorrection& options = {});

// An invisible root that follows the springs alone, ahead of the character's root. It waits for a body that cannot keep
// up.
struct Lead {
  float max_distance_m = 0.15F, max_turn_rad = 1.0F;
};
// Moves `led` by the intent's present target, then returns `root` pulled to it. Speeds are the character's own, as in
// corrected().
PlanarRoot lead(TrajectoryPoint& led, const Intent& intent, const PlanarRoot& root, float speed_mps,
                float turn_speed_rad_s, float dt_s, const TrajectoryOptions& trajectory = {},
                const RootCorrection& correction = {}, const Lead& options = {});

}  // namespace zoe::control
