// SPDX-License-Identifier: MIT
#include "eval_terrain.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/author/evaluate_terrain.h"
#include "zoe/core/file.h"

#include "controller/print_listener.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;
using author::TerrainEvaluation;

Json to_json(const eval::PartErrors& e) {
  return {{"joint_error_cm", e.joints_cm},
          {"body_error_cm", e.body_cm},
          {"leg_error_cm", e.legs_cm},
          {"trunk_error_cm", e.trunk_cm},
          {"arm_error_cm", e.arms_cm},
          {"finger_error_cm", e.fingers_cm},
          {"share", e.share}};
}

Json to_json(const TerrainEvaluation::Half& half) {
  Json courses = Json::object();
  for (const auto& [name, m] : half.courses) {
    courses[name] = {{"penetration_cm", m.penetration_cm},
                     {"penetration_p95_cm", m.penetration_p95_cm},
                     {"gap_cm", m.gap_cm},
                     {"gap_p95_cm", m.gap_p95_cm},
                     {"foot_skate_cm_s", m.foot_skate_cm_s},
                     {"contact_share", m.contact_share}};
  }
  Json out{{"courses", std::move(courses)}, {"recoveries", half.recoveries}};
  if (half.rollouts.num_rollouts > 0) {
    out["held_out"] = {{"rollouts", half.rollouts.num_rollouts},
                       {"joint_error_cm", half.rollouts.joints_cm},
                       {"foot_error_cm", half.rollouts.feet_cm},
                       {"foot_height_error_cm", half.rollouts.foot_height_cm},
                       {"everywhere", to_json(half.rollouts.everywhere)},
                       {"uneven", to_json(half.rollouts.uneven)},
                       {"level", to_json(half.rollouts.level)},
                       {"in_step", to_json(half.rollouts.in_step)},
                       {"joint_error_by_tenth_cm", half.rollouts.by_time_cm},
                       {"joint_error_by_clip_cm", half.rollouts.by_clip_cm}};
  }
  return out;
}

void print_courses(const std::vector<TerrainEvaluation>& runs, bool with_ik) {
  fmt::print("\n{}; penetration, gap in contact: mean (95 %), cm; foot skate, cm/s\n\n|",
             with_ik ? "foot IK on" : "foot IK off");
  const auto half = [&](const TerrainEvaluation& run) -> const TerrainEvaluation::Half& {
    return with_ik ? run.with_ik : run.without_ik;
  };
  for (const TerrainEvaluation& run : runs) fmt::print(" | {}", run.subject);
  fmt::print(" |\n|---|");
  for (std::size_t i = 0; i < runs.size(); ++i) fmt::print("---|");
  fmt::print("\n");
  for (const auto& [name, ignored] : half(runs[0]).courses) {
    fmt::print("| {}", name);
    for (const TerrainEvaluation& run : runs) {
      const eval::SurfaceMetrics& m = half(run).courses.at(name);
      fmt::print(" | {:.2f} ({:.1f}), {:.2f} ({:.1f}), {:.0f}", m.penetration_cm, m.penetration_p95_cm, m.gap_cm,
                 m.gap_p95_cm, m.foot_skate_cm_s);
    }
    fmt::print(" |\n");
  }
  fmt::print("| restarts");
  for (const TerrainEvaluation& run : runs) fmt::print(" | {}", half(run).recoveries);
  fmt::print(" |\n");
  if (std::all_of(runs.begin(), runs.end(), [&](const auto& run) { return half(run).rollouts.num_rollouts == 0; }))
    return;
  fmt::print("| held out: joints, feet, foot heights, cm");
  for (const TerrainEvaluation& run : runs) {
    const eval::RolloutErrors& e = half(run).rollouts;
    fmt::print(" | {:.2f}, {:.2f}, {:.2f}", e.joints_cm, e.feet_cm, e.foot_height_cm);
  }
  fmt::print(" |\n| joints on uneven, on level ground, cm");
  for (const TerrainEvaluation& run : runs)
    fmt::print(" | {:.2f}, {:.2f}", half(run).rollouts.uneven.joints_cm, half(run).rollouts.level.joints_cm);
  fmt::print(" |\n| without fingers: everywhere, uneven, level, cm");
  for (const TerrainEvaluation& run : runs) {
    const eval::RolloutErrors& e = half(run).rollouts;
    fmt::print(" | {:.2f}, {:.2f}, {:.2f}", e.everywhere.body_cm, e.uneven.body_cm, e.level.body_cm);
  }
  fmt::print(" |\n| at the nearest moment: joints, without fingers, cm");
  for (const TerrainEvaluation& run : runs) {
    const eval::PartErrors& e = half(run).rollouts.in_step;
    fmt::print(" | {:.2f}, {:.2f}", e.joints_cm, e.body_cm);
  }
  fmt::print(" |\n");
}

}  // namespace

int run_eval_terrain(const Arguments& arguments) {
  Options app;
  std::vector<std::string> runs;
  std::string held_out, output, shapes;
  author::EvaluateTerrain job;
  bool json = false;
  app.add_option("runs", runs, "Run folders of `zoe train controller`")->required();
  app.add_option("--held-out", held_out, "Clips on their own ground (walk.terrain.glb beside walk.glb), else fitted")
      ->type_name("FOLDER");
  app.add_option("--shapes", shapes, "stairs, slope, rough, gaps, beams, platforms; default all")->type_name("LIST");
  app.add_option("--seeds", job.courses.num_seeds, "Grounds of each shape")->between(1, 1000)->capture_default_str();
  app.add_option("--seconds", job.courses.seconds, "Length of a run")->between(2.0, 600.0, "s")->capture_default_str();
  app.add_option("--rollout", job.rollouts.seconds, "Length of a rollout from a pose of a clip")
      ->between(0.1, 30.0, "s")
      ->capture_default_str();
  app.add_option("-o,--out", output, "Also write a JSON file")->writes();
  app.add_flag("--json", json, "Print JSON instead of tables");
  if (const auto exit = parse(app, arguments)) return *exit;
  for (const std::string& word : split_list(shapes)) {
    if (word.empty()) continue;
    const auto shape = parse_terrain_shape(word);
    if (!shape)
      return print_error(Error{ErrorCode::kUsage,
                               fmt::format("--shapes: there is no '{}'; there are stairs, slope, rough, gaps, beams, "
                                           "platforms",
                                           word)});
    job.courses.shapes.push_back(*shape);
  }
  job.held_out = held_out;
  std::vector<TerrainEvaluation> all;
  Json list = Json::array();
  for (const std::string& run : runs) {
    auto one = job.run(run, print_listener());
    if (!one) return print_error(one.error());
    list.push_back({{"subject", one->subject},
                    {"kind", one->type},
                    {"sees_ground", one->sees_ground},
                    {"foot_ik", to_json(one->with_ik)},
                    {"no_foot_ik", to_json(one->without_ik)}});
    all.push_back(std::move(*one));
  }
  if (json) {
    fmt::print("{}\n", list.dump(2));
  } else {
    print_courses(all, true);
    print_courses(all, false);
  }
  if (output.empty()) return kDone;
  const auto written = write_file_atomic(output, list.dump(2) + "\n");
  return written ? static_cast<int>(kDone) : print_error(written.error());
}

}  // namespace zoe::cli
