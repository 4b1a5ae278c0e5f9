// SPDX-License-Identifier: MIT
// Part of Zoetrope. Motion matching (Clavet 2016; Holden et al. 2020): plays a database frame by
// frame, and ten times a second looks whether another place of it goes on better to where the
// character is led.
#pragma once

#include "zoe/control/body.h"
#include "zoe/control/controller.h"
#include "zoe/control/match/database.h"
#include "zoe/control/trajectory.h"

namespace zoe::control {

struct MatchOptions {
  float search_interval_s = 0.1F;
  // A wish that has changed by so much since the last search is not kept waiting.
  float sudden_velocity_mps = 0.5F, sudden_facing_rad = 0.6F;
  float skip_around_s = 0.33F;   // Frames so near to the current one are no change worth making.
  float transition_cost = 0.5F;  // Another place must be cheaper by this.

  enum class Blend : std::uint8_t {
    kInertialize,  // Lively; see Inertialization.
    kDeadBlend,    // Calmer; see DeadBlend.
  } blend = Blend::kDeadBlend;
  float blend_s = 0.2F;
  float root_half_life_s = 0.08F;  // Of the root's change of velocity at a switch.

  TrajectoryOptions trajectory{.velocity_half_life_s = 0.1F, .facing_half_life_s = 0.12F};
  // The root is drawn to where springs alone would have it, in proportion to how fast it moves.
  // What is left beyond these bounds moves the springs' root, which nobody sees.
  RootCorrection correction{0.2F, 0.2F, 0.3F};
  Lead lead;
  // The played root's way is stretched, and turned, by at most this to go where it is led.
  float stretch = 0.2F, bend_rad_s = 2.0F;

  bool lock_feet = true;
  // Labels of the frames that count while none is wished for. Empty: those without any, where there
  // are such; else all.
  std::string usual_style, usual_action;
};

// What a tick did: for tests, reports and tuning.
struct MatchReport {
  int frame = -1;  // Of the database.
  std::int64_t num_searches = 0, num_switches = 0;
  float cost = 0;    // Of going on, at the last search.
  MatchQuery query;  // As asked last; its features are the state's.
};

// Fails where body and database are of different skeletons or contacts.
Result<ControllerPtr> make_motion_matching(MotionDatabasePtr database, Body body, const MatchOptions& options = {});
// Of a state that such a controller made. Checked.
const MatchReport& match_report(const ControllerState& state);

}  // namespace zoe::control
