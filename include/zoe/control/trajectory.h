// SPDX-License-Identifier: MIT
// Part of Zoetrope. Where a character will go if it follows its intent: critically damped springs
// on velocity and facing, solved exactly, so that the frame rate does not matter.
#pragma once

#include "zoe/control/intent.h"
#include "zoe/features/control_series.h"

namespace zoe::control {

struct TrajectoryOptions {
  float velocity_half_life_s = 0.2F;  // In which half of a change of velocity is done.
  float facing_half_life_s = 0.2F;
  float max_turn_speed_rad_s = 6.3F;  // A turn on the heel takes half a second, however hard the stick.
};

// A root that is led by springs. One space for all.
struct TrajectoryPoint {
  PlanarRoot root;
  Vec3 velocity_mps, acceleration_mps2;
  float turn_speed_rad_s = 0;
};

// After dt_s >= 0 of a constant wish. No facing: it is kept.
TrajectoryPoint advance(const TrajectoryPoint& point, Vec3 velocity_goal_mps, std::optional<float> facing_goal_rad,
                        float dt_s, const TrajectoryOptions& options = {});

// Fills roots and velocities at out.times (>= 0), led from `now` by the intent over the future.
// Never allocates: out is sized by ControlSeries::standing().
void predict(const TrajectoryPoint& now, const Intent& intent, features::ControlSeries& out,
             const TrajectoryOptions& options = {});

// A root on its way to where it should be, slowly enough to be unseen: half the distance every
// half-life, but never faster than `share` of the character's own speed (and turn speed), so a
// standing one does not slide. It never teleports.
struct RootCorrection {
  float position_half_life_s = 0.1F;
  float facing_half_life_s = 0.2F;
  float share = 0.5F;
};
PlanarRoot corrected(const PlanarRoot& root, const PlanarRoot& wanted, float speed_mps, float turn_speed_rad_s,
                     float dt_s, const RootCorrection& options = {});

// A root of springs alone, which nobody sees, ahead of the character's own. It waits for a body that
// cannot keep up.
struct Lead {
  float max_distance_m = 0.15F, max_turn_rad = 1.0F;
};
// Moves `led` by the intent's wish of now, then gives `root` drawn to it. Speeds are the character's
// own, as in corrected().
PlanarRoot lead(TrajectoryPoint& led, const Intent& intent, const PlanarRoot& root, float speed_mps,
                float turn_speed_rad_s, float dt_s, const TrajectoryOptions& trajectory = {},
                const RootCorrection& correction = {}, const Lead& options = {});

}  // namespace zoe::control
