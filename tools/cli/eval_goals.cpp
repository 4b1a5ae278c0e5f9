// SPDX-License-Identifier: MIT
#include "eval_goals.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/control/load.h"
#include "zoe/core/file.h"
#include "zoe/core/progress.h"
#include "zoe/eval/goals.h"

namespace zoe::cli {

int run_eval_goals(const Arguments& arguments) {
  using Json = nlohmann::ordered_json;
  Options app;
  std::vector<std::string> runs;
  std::string output;
  eval::GoalOptions options;
  bool json = false;
  app.add_option("runs", runs, "Run folders of `zoe train controller`, or .zoe files")->required();
  app.add_option("--tasks", options.num_tasks, "Number of tasks")->between(1, 100000)->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the first task; each has one more")
      ->at_least_zero()
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Most time for a task")->between(2.0, 600.0, "s")->capture_default_str();
  app.add_option("-o,--out", output, "Also write a JSON file with every task")->writes();
  app.add_flag("--json", json, "Print JSON instead of lines");
  if (const auto exit = parse(app, arguments)) return *exit;
  Json list = Json::array();
  for (const std::string& run : runs) {
    const auto controller = control::load_controller(run);
    if (!controller) return print_error(controller.error());
    eval::GoalReport report;
    {
      std::optional<Progress> progress;
      if (!quiet() && !json) {
        progress.emplace("goals", static_cast<std::uint64_t>(options.num_tasks), ProgressOptions{.unit = "tasks"});
        options.on_task = [&] { progress->advance(); };
      }
      report = eval::measure_goals(**controller, options);
    }
    Json tasks = Json::array();
    std::vector<float> distances, angles, depths;
    for (const eval::GoalResult& r : report.results) {
      tasks.push_back({{"seed", r.seed},
                       {"distance_m", r.distance_m},
                       {"angle_rad", r.angle_rad},
                       {"deepest_m", r.deepest_m},
                       {"planned_m", r.planned_m},
                       {"walked_m", r.walked_m},
                       {"planned", r.planned},
                       {"reached", r.reached},
                       {"touched", r.touched},
                       {"recoveries", r.num_recoveries}});
      distances.push_back(r.distance_m), angles.push_back(r.angle_rad), depths.push_back(r.deepest_m);
    }
    const auto part = [](std::vector<float> values, double share) {
      std::sort(values.begin(), values.end());
      return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
    };
    list.push_back({{"subject", run},
                    {"kind", (*controller)->type()},
                    {"avoid",
                     {{"tasks", report.results.size()},
                      {"success", report.reached_share()},
                      {"clear", report.clear_share()},
                      {"distance_median_m", part(distances, 0.5)},
                      {"distance_p95_m", part(distances, 0.95)},
                      {"angle_p95_deg", 57.29578 * static_cast<double>(part(angles, 0.95))},
                      {"deepest_p95_m", part(depths, 0.95)},
                      {"foot_skate_cm_s", report.foot_skate_cm_s}}},
                    {"results", std::move(tasks)}});
    if (json) continue;
    fmt::print(
        "{} ({}): avoid {} tasks: success {:.0f} %, clear {:.0f} %; distance {:.0f} cm (95 %: {:.0f} cm), angle "
        "95 %: {:.0f} degrees, foot skate {:.1f} cm/s\n",
        run, (*controller)->type(), report.results.size(), 100 * report.reached_share(), 100 * report.clear_share(),
        100 * static_cast<double>(part(distances, 0.5)), 100 * static_cast<double>(part(distances, 0.95)),
        57.29578 * static_cast<double>(part(angles, 0.95)), report.foot_skate_cm_s);
  }
  if (json) fmt::print("{}\n", list.dump(2));
  if (output.empty()) return kDone;
  const auto written = write_file_atomic(output, list.dump(2) + "\n");
  return written ? static_cast<int>(kDone) : print_error(written.error());
}

}  // namespace zoe::cli
