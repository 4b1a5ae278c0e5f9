// SPDX-License-Identifier: MIT
// Part of Zoetrope. Settings of motion matching, and its diagnostics.
#pragma once

#include <cstdint>
#include <string>

#include "zoe/control/lock_options.h"
#include "zoe/control/match/match_query.h"
#include "zoe/control/trajectory.h"

namespace zoe::control {

struct MatchOptions {
  float search_interval_s = 0.1F;
  // A change of the desired velocity or facing by this much since the last search starts a search at once.
  float sudden_velocity_mps = 0.5F, sudden_facing_rad = 0.6F;
  float skip_around_s = 0.33F;   // Frames this near to the current one are not candidates.
  float transition_cost = 0.5F;  // Another frame must be cheaper by this.

  enum class Blend : std::uint8_t {
    kInertialize,  // Keeps more detail; see Inertialization.
    kDeadBlend,    // Smoother; see DeadBlend.
  } blend = Blend::kDeadBlend;
  float blend_s = 0.2F;
  float root_half_life_s = 0.08F;  // Half-life of the root's change of velocity at a switch.

  TrajectoryOptions trajectory{.velocity_half_life_s = 0.1F, .facing_half_life_s = 0.12F};
  // The root is pulled to the springs' root, in proportion to its own speed. Beyond these bounds the springs' root,
  // which is not visible, moves instead.
  RootCorrection correction{0.1F, 0.2F, 0.5F};
  Lead lead;
  // The played root motion is stretched, and turned, by at most this towards the desired trajectory.
  float stretch = 0.2F, bend_rad_s = 2.0F;

  bool lock_feet = true;
  LockOptions locks;
  // Labels of the candidates while none is requested. Empty: frames without labels, where there are such; else all.
  std::string usual_style, usual_action;
};

// Diagnostics of a tick: for tests, reports and tuning.
struct MatchReport {
  int frame = -1;  // In the database.
  std::int64_t num_searches = 0, num_switches = 0;
  float cost = 0;    // Cost of going on, at the last search.
  MatchQuery query;  // The last query. Its features belong to the state.
};

}  // namespace zoe::control
