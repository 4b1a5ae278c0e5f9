// SPDX-License-Identifier: MIT
// Part of Zoetrope. What one character of motion matching keeps between steps.
#pragma once

#include "zoe/control/match/motion_matching.h"
#include "zoe/motion/inertialize.h"

namespace zoe::control {

class MatchState final : public ControllerState {
 public:
  MatchState(const MotionDatabase& database, const Body& body, const features::SampleTimes& ahead);

  // What plays.
  int frame = 0;
  MatchReport report;
  int steps_since_search = 0;
  int last_match = -1;
  Vec3 searched_velocity_mps;  // The wish at the last search.
  float searched_facing_rad = 0;

  // The root: led by springs; and what a switch left of its velocity, in its own axes.
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
  std::vector<float> ankle_contacts, ball_contacts;  // [legs]
  std::vector<float> query, current, wanted;         // [dims]

 protected:
  std::uint64_t hash_more(std::uint64_t hash) const override;
};

}  // namespace zoe::control
