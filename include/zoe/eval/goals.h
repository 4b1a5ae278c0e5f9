// SPDX-License-Identifier: MIT
// Part of Zoetrope. Tasks with goals: a character walks around random props to a position and a facing. The path is
// planned (control/plan_path.h); the controller is of any type.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "zoe/control/controller.h"
#include "zoe/core/executor.h"
#include "zoe/ground/prop.h"

namespace zoe::eval {

struct GoalTask {
  std::vector<Prop> props;
  Vec3 goal;  // The character starts at the origin, facing +Z.
  float facing_rad = 0;
};
// A goal 3 to 6 m away with obstacles between: at least one on the line to it. Start and goal are free.
GoalTask draw_avoid_task(std::uint64_t seed);

struct GoalOptions {
  int num_tasks = 50;
  std::uint64_t seed = 1;
  double seconds = 20;            // Most time for a task.
  float within_m = 0.1F;          // What counts as reached, together with the angle.
  float within_rad = 0.2617994F;  // 15 degrees.
  float allowed_depth_m = 0.02F;  // Of a capsule inside a prop.
  // A controller that knows deeds senses the props and has the goal, as PropUser gives them. True: only the velocities
  // of the path, as all other types.
  bool by_stick = false;
  Executor* pool = nullptr;  // Tasks run in parallel; null: one after the other. Results are the same.
  std::function<void()> on_task;
};

struct GoalResult {
  std::uint64_t seed = 0;
  float distance_m = 0, angle_rad = 0;  // At the end.
  float deepest_m = 0;                  // Of a bone's capsule inside a prop; below zero: none touched.
  float planned_m = 0, walked_m = 0;
  float pulled_m = 0;    // As control::DeedProgress; 0 for other types.
  bool planned = false;  // A path to the goal exists.
  bool reached = false;  // Distance and angle.
  bool touched = false;  // Deeper than allowed.
  int num_recoveries = 0;
};
struct GoalReport {
  std::vector<GoalResult> results;
  double foot_skate_cm_s = 0;   // Mean speed of the foot parts whose contact the model reports.
  double low_feet_cm_s = 0;     // Of all foot parts near the ground, whatever contacts say.
  double pulled_share() const;  // Of the distance walked, where the type measures it.

  double reached_share() const;  // Reached and nothing touched.
  double clear_share() const;    // Nothing touched.
};
// Capsules have a radius of 4 % of the body's height around every bone.
GoalReport measure_goals(const control::Controller& controller, const GoalOptions& options = {});

}  // namespace zoe::eval
