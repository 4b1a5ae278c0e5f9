// SPDX-License-Identifier: MIT
#include "zoe/eval/evaluate.h"

#include <algorithm>
#include <cmath>

#include "zoe/eval/courses.h"
#include "zoe/eval/stand.h"

#include "eval/real_clips.h"
#include "eval/table.h"

namespace zoe::eval {
namespace {

struct Source {
  std::map<std::string, double> reference;
  PoseSet poses;
  SkateBySpeed skate;
};

// Measures of the source's clips, weighted by their length.
Result<Source> measure_source(const dataset::Dataset& data, const control::Body& body) {
  Source out;
  Table table;
  std::vector<double> weights;
  ZOE_TRY(for_each_real_clip(data, body, [&](const RealClip& clip) {
    const MotionMetrics moved = measure_motion(clip.motion, clip.roots, body.legs);
    table.add(moved);
    out.skate.add(moved.skate_by_speed);
    weights.push_back(static_cast<double>(clip.roots.size()));
    add_poses(clip.motion, clip.roots, 3, out.poses);
  }));
  out.reference = table.weighted_means(weights);
  return out;
}

}  // namespace

Result<Evaluation> evaluate(const control::Controller& controller, const control::Body& body,
                            const dataset::Dataset* source, const EvaluateOptions& options) {
  Source real;
  if (source != nullptr) {
    ZOE_TRY_ASSIGN(real, measure_source(*source, body));
  }
  std::vector<std::string> courses = options.courses;
  if (courses.empty()) courses.assign(course_names().begin(), course_names().end());

  const float speed_mps = options.speed_mps > 0 ? options.speed_mps : body.motion_range.pace_mps;
  Table all;
  std::map<std::string, Table> by_course;
  PoseSet made;
  SkateBySpeed skate;
  for (const std::string& course : courses) {
    for (int i = 0; i < options.num_seeds; ++i) {
      const std::uint64_t seed = options.first_seed + static_cast<std::uint64_t>(i);
      Random random(seed);
      // Seeds differ in their start and in their pace.
      const float pace = speed_mps * random.uniform(0.9F, 1.1F);
      const PlanarRoot place{{random.uniform(-0.1F, 0.1F), 0, random.uniform(-0.1F, 0.1F)},
                             random.uniform(-0.5F, 0.5F)};
      ZOE_TRY_ASSIGN(const auto intents, make_course(course, pace, seed));
      const Recording run =
          record(controller, *intents, {.seconds = options.seconds, .fps = controller.rate_hz(), .place = place});
      const MotionMetrics moved = measure_motion(run.motion, run.roots, body.legs);
      const ObedienceMetrics obeyed = measure_obedience(run, intents->path());
      std::vector<float> us = run.tick_us;
      std::sort(us.begin(), us.end());
      for (Table* table : {&all, &by_course[course]}) {
        table->add(moved);
        if (intents->path() != nullptr) table->add("path_error_cm", obeyed.path_error_cm);
        table->add("facing_error_deg", obeyed.facing_error_deg);
        table->add("speed_error_cm_s", obeyed.speed_error_cm_s);
        table->add("stuck_s", run.stuck_s);
        table->add("recoveries", run.num_recoveries);
        table->add("tick_us", us[us.size() / 2]);
        table->add("tick_us_p99", us[us.size() * 99 / 100]);
      }
      add_poses(run.motion, run.roots, 15, made);
      skate.add(moved.skate_by_speed);
      if (options.on_run) options.on_run();
    }
  }
  for (const double seconds : response_times_s(controller, speed_mps)) all.add("response_s", seconds);
  const StandMetrics stood = measure_stand(controller, body, {.seconds = options.stand_s, .speed_mps = speed_mps});
  all.add("stand_drift_cm", stood.drift_cm);
  all.add("stand_turn_deg", stood.turn_deg);
  all.add("stand_twist_deg", stood.twist_deg);
  all.add("stop_s", stood.stop_s);
  all.add("stop_slide_cm", stood.stop_slide_cm);
  all.add("start_s", stood.start_s);
  all.add("start_slide_cm", stood.start_slide_cm);
  if (source != nullptr) {
    all.add("foot_skate_at_speed_cm_s", skate.mean_cm_s());
    real.reference["foot_skate_at_speed_cm_s"] = skate_at_speeds_cm_s(real.skate, skate);
  }
  if (real.poses.size() > 0) all.add("nearest_pose_cm", nearest_pose_cm(made, real.poses));
  all.add("model_mb", static_cast<double>(controller.model_bytes()) / 1e6);

  Evaluation out;
  out.type = controller.type();
  out.num_seeds = options.num_seeds;
  out.metrics = all.summaries(real.reference);
  for (const auto& [course, table] : by_course) {
    for (const auto& [name, values] : table.rows()) out.courses[course][name] = Table::mean(values);
  }
  return out;
}

}  // namespace zoe::eval
