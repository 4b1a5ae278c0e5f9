// SPDX-License-Identifier: MIT
#include "zoe/eval/goals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/character/pose.h"
#include "zoe/control/body_height.h"
#include "zoe/control/plan_path.h"
#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/eval/deeds.h"
#include "zoe/eval/record.h"

#include "eval/for_tasks.h"
#include "eval/prop_depth.h"
#include "eval/pulled_share.h"

namespace zoe::eval {
namespace {

constexpr float kHalfTurn_rad = std::numbers::pi_v<float>;
}  // namespace

GoalTask draw_avoid_task(std::uint64_t seed) {
  Random random = Random(seed).split(77);
  GoalTask task;
  const float bearing = random.uniform(-kHalfTurn_rad, kHalfTurn_rad), far_m = random.uniform(3, 6);
  const auto at = [&](float along, float across) {
    const float s = std::sin(bearing), c = std::cos(bearing);
    return Vec3{along * s + across * c, 0, along * c - across * s};
  };
  task.goal = at(far_m, 0);
  task.facing_rad = random.uniform(-kHalfTurn_rad, kHalfTurn_rad);
  const int count = 1 + static_cast<int>(random.below(4));
  for (int i = 0; i < count; ++i) {
    const Vec3 size{random.uniform(0.3F, 1.2F), random.uniform(0.4F, 1.8F), random.uniform(0.3F, 1.2F)};
    const float half = 0.5F * std::hypot(size.x, size.z), room = half + 0.7F;
    if (2 * room > far_m) continue;
    const Vec3 place =
        at(random.uniform(room, far_m - room), i == 0 ? random.uniform(-0.2F, 0.2F) : random.uniform(-2, 2));
    task.props.push_back(make_obstacle(size, place, random.uniform(-kHalfTurn_rad, kHalfTurn_rad)));
  }
  return task;
}

double GoalReport::reached_share() const {
  const auto good =
      std::count_if(results.begin(), results.end(), [](const GoalResult& r) { return r.reached && !r.touched; });
  return results.empty() ? 0 : static_cast<double>(good) / static_cast<double>(results.size());
}

double GoalReport::clear_share() const {
  const auto good = std::count_if(results.begin(), results.end(), [](const GoalResult& r) { return !r.touched; });
  return results.empty() ? 0 : static_cast<double>(good) / static_cast<double>(results.size());
}

double GoalReport::pulled_share() const { return pulled_share_of(results); }

namespace {

GoalResult measure_goal(const control::Controller& controller, std::uint64_t seed, bool with_deeds,
                        const GoalOptions& options, FootSkate& skate) {
  const Skeleton& skeleton = *controller.skeleton();
  const float height_m = control::body_height_m(controller), pace = controller.motion_range().pace_mps;
  GoalResult result;
  result.seed = seed;
  const GoalTask task = draw_avoid_task(seed);
  // Bodies cut corners and arms swing: more room where there is some.
  control::PathPlan plan;
  for (const float share : {0.32F, 0.26F, 0.2F}) {
    plan = control::plan_path({}, task.goal, task.props, {.radius_m = share * height_m, .height_m = 1.1F * height_m});
    if (plan.reaches && plan.note.empty()) break;
  }
  result.planned = plan.reaches;
  result.planned_m = plan.length_m;
  const double seconds = std::min(options.seconds, 5 + 1.6 * static_cast<double>(plan.length_m / std::max(pace, 0.1F)));
  Recording recording;
  if (with_deeds) {
    const DeedTask walk{task.props, {control::Deed::kWalk, 0, {task.goal, task.facing_rad}}};
    DeedRecording made = record_deed(controller, {}, walk, seconds, controller.rate_hz(), false);
    result.pulled_m = made.pulled_m;
    recording = std::move(made.recording);
  } else {
    const auto source = control::follow_plan(plan, {task.goal, task.facing_rad}, {.speed_mps = pace});
    recording = record(controller, *source, {.seconds = seconds, .fps = controller.rate_hz()});
  }
  std::vector<Affine> models(idx(skeleton.num_joints()));
  for (int f = 0; f < recording.motion.num_frames; ++f) {
    compute_model_from_joint(skeleton, recording.motion.frame(f), models);
    const float depth = depth_in_props(skeleton, models, task.props, {.height_m = height_m});
    result.deepest_m = f == 0 ? depth : std::max(result.deepest_m, depth);
  }
  const PlanarRoot& end = recording.roots.back();
  result.distance_m = std::hypot(end.position.x - task.goal.x, end.position.z - task.goal.z);
  result.angle_rad = std::abs(control::wrapped(end.facing_rad - task.facing_rad));
  result.walked_m = static_cast<float>(recording.distance_m());
  result.reached = result.distance_m <= options.within_m && result.angle_rad <= options.within_rad;
  result.touched = result.deepest_m > options.allowed_depth_m;
  result.num_recoveries = recording.num_recoveries;
  skate.add(controller, recording);
  return result;
}

}  // namespace

GoalReport measure_goals(const control::Controller& controller, const GoalOptions& options) {
  GoalReport report;
  report.results.resize(idx(options.num_tasks));
  std::vector<FootSkate> skates(report.results.size());
  const bool with_deeds = !options.by_stick && controller.make_state()->deed().has_value();
  for_tasks(options.pool, report.results.size(), options.on_task, [&](std::size_t i) {
    report.results[i] = measure_goal(controller, options.seed + i, with_deeds, options, skates[i]);
  });
  FootSkate skate;
  for (const FootSkate& one : skates) skate.add(one);
  report.foot_skate_cm_s = skate.cm_s();
  report.low_feet_cm_s = skate.low_cm_s();
  return report;
}

}  // namespace zoe::eval
