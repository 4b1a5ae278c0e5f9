// SPDX-License-Identifier: MIT
// Part of Zoetrope. Paths around props: a grid search, straightened. Plans allocate; they are made once per goal.
//
//   const PathPlan plan = plan_path(root.position, {3, 0, 2}, props);
//   auto source = follow_plan(plan, {{3, 0, 2}, 1.5F});   // An IntentSource: the path, then the goal.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoe/control/sources.h"
#include "zoe/ground/prop.h"

namespace zoe::control {

struct PlanOptions {
  float radius_m = 0.3F;          // Of the character: paths keep this distance from props.
  float step_m = 0.1F;            // Lower props are stepped over.
  float height_m = 1.9F;          // Higher ones are passed below.
  float cell_m = 0.1F;            // Of the grid; larger where the area is large.
  float margin_m = 2;             // Of the searched area around start, goal and the props between them.
  const Prop* ignored = nullptr;  // An element of `props` that is no obstacle: the one to be used.
};

struct PathPlan {
  std::vector<Vec3> points;  // From the start on, on the floor; at least one. The last one is where the path ends.
  bool reaches = false;      // The last point is the goal.
  float length_m = 0;
  std::string note;  // What was changed, for people: a goal in a prop, a start in one, no path. Empty: nothing.
};
// A start inside a prop first leaves it by the shortest line. A goal inside a prop, or too near to one, is replaced by
// the nearest position that can be reached. Where no path exists the plan leads to the reachable position nearest to
// the goal. Positions that are not finite: the start alone.
PathPlan plan_path(Vec3 start, Vec3 goal, std::span<const Prop> props, const PlanOptions& options = {});

// Distance on the floor to the nearest prop between step_m and height_m; negative inside. FLT_MAX without props.
float floor_clearance(std::span<const Prop> props, float x, float z, const PlanOptions& options = {}) noexcept;

// Follows the plan's path, then goes to `place` where the plan reaches it, else to the last point.
std::unique_ptr<IntentSource> follow_plan(const PathPlan& plan, const WantedPlace& place,
                                          const PathOptions& options = {});

}  // namespace zoe::control
