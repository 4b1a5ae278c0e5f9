// SPDX-License-Identifier: MIT
#include "eval_goals.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/control/deed_facts.h"
#include "zoe/control/load.h"
#include "zoe/core/file.h"
#include "zoe/core/progress.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/deeds.h"
#include "zoe/eval/goals.h"

#include "seat_file.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

float part_of(std::vector<float> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}
double degrees(float angle_rad) { return 57.29578 * static_cast<double>(angle_rad); }

Json results_of(const eval::DeedReport& report) {
  Json tasks = Json::array();
  for (const eval::DeedResult& r : report.results) {
    tasks.push_back({{"seed", r.seed},
                     {"done", r.done},
                     {"reached", r.reached},
                     {"distance_m", r.distance_m},
                     {"angle_rad", r.angle_rad},
                     {"seat_m", r.seat_m},
                     {"hands_m", r.hands_m},
                     {"inside_m", r.inside_m},
                     {"inside_thin_m", r.inside_thin_m},
                     {"shins_m", r.shins_m},
                     {"inside_joint", r.inside_joint},
                     {"walked_m", r.walked_m},
                     {"pulled_m", r.pulled_m},
                     {"seconds", r.seconds},
                     {"recoveries", r.num_recoveries}});
  }
  return tasks;
}

// One deed: a line, and its object.
Json measure_deed(const control::Controller& controller, const control::DeedFacts& facts, control::Deed deed,
                  eval::DeedOptions options, bool json) {
  const std::string name = control::name_of_task(deed);
  eval::DeedReport report;
  {
    std::optional<Progress> progress;
    if (!quiet() && !json) {
      progress.emplace(name, static_cast<std::uint64_t>(options.num_tasks), ProgressOptions{.unit = "tasks"});
      options.on_task = [&] { progress->advance(); };
    }
    report = eval::measure_deeds(controller, facts, deed, options);
  }
  std::vector<float> distances, angles, seats, hands, depths, thin_depths, shins;
  int done = 0;
  for (const eval::DeedResult& r : report.results) {
    distances.push_back(r.distance_m), angles.push_back(r.angle_rad), depths.push_back(r.inside_m);
    thin_depths.push_back(r.inside_thin_m), shins.push_back(r.shins_m);
    done += r.done ? 1 : 0;
    if (r.reached) seats.push_back(r.seat_m), hands.push_back(r.hands_m);
  }
  if (!json) {
    const auto p90_cm = [](const std::vector<float>& values) { return 100 * part_of(values, 0.9); };
    fmt::print(
        "  {:6} {:4} tasks: success {:3.0f} %, done {:3.0f} %; distance {:.1f} cm (90 %: {:.1f}), angle 90 %: {:.0f} "
        "degrees, seat 90 %: {:.1f} cm, hands 90 %: {:.1f} cm, inside 90 %: {:.1f} cm (thin fingers {:.1f}, shins in "
        "the seat {:.1f}), skate {:.1f} cm/s (low feet {:.1f}), root moved by {:.1f} % of the distance\n",
        name, report.results.size(), 100 * report.reached_share(),
        100.0 * done / static_cast<double>(report.results.size()), 100 * part_of(distances, 0.5), p90_cm(distances),
        degrees(part_of(angles, 0.9)), p90_cm(seats), p90_cm(hands), p90_cm(depths), p90_cm(thin_depths), p90_cm(shins),
        report.foot_skate_cm_s, report.low_feet_cm_s, 100 * report.pulled_share());
  }
  return {{"tasks", report.results.size()},
          {"success", report.reached_share()},
          {"done", static_cast<double>(done) / static_cast<double>(report.results.size())},
          {"distance_median_m", part_of(distances, 0.5)},
          {"distance_p90_m", part_of(distances, 0.9)},
          {"angle_p90_deg", degrees(part_of(angles, 0.9))},
          {"seat_p90_m", part_of(seats, 0.9)},
          {"hands_p90_m", part_of(hands, 0.9)},
          {"inside_p90_m", part_of(depths, 0.9)},
          {"inside_thin_p90_m", part_of(thin_depths, 0.9)},
          {"shins_p90_m", part_of(shins, 0.9)},
          {"foot_skate_cm_s", report.foot_skate_cm_s},
          {"low_feet_cm_s", report.low_feet_cm_s},
          {"pulled_share", report.pulled_share()},
          {"results", results_of(report)}};
}

// Deeds by their names; empty: all that the controller knows.
Result<std::vector<control::Deed>> read_deeds(const std::vector<std::string>& names) {
  std::vector<control::Deed> deeds;
  for (const std::string& name : names) {
    if (name == "sit")
      deeds.push_back(control::Deed::kSit);
    else if (name == "carry")
      deeds.push_back(control::Deed::kCarry);
    else if (name == "open")
      deeds.push_back(control::Deed::kOpen);
    else if (name != "avoid")
      return Error{ErrorCode::kUsage, fmt::format("--deed '{}': there are avoid, sit, carry and open", name), {}};
  }
  return deeds;
}

}  // namespace

int run_eval_goals(const Arguments& arguments) {
  Options app;
  std::vector<std::string> runs, deed_names;
  std::string output;
  eval::GoalOptions options;
  bool json = false;
  app.add_option("runs", runs, "Run folders of `zoe train controller`, or .zoe files")->required();
  app.add_option("--tasks", options.num_tasks, "Number of tasks")->between(1, 100000)->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the first task; each has one more")
      ->at_least_zero()
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Most time for a task")->between(2.0, 600.0, "s")->capture_default_str();
  app.add_option("--deed", deed_names, "Of avoid, sit, carry, open; default avoid, and all for the type nsm")
      ->delimiter(',')
      ->type_name("LIST");
  int jobs = 0;
  app.add_option("--jobs", jobs, "Threads; 0: one per processor. The numbers do not depend on it")
      ->between(0, 1024)
      ->capture_default_str();
  std::vector<std::string> seat_files;
  double seat_scale = 1;
  app.add_option("--seat", seat_files, "sit: meshes of seats, in metres, instead of drawn ones")->type_name("FILE");
  app.add_option("--seat-scale", seat_scale, "Factor on the meshes of --seat")
      ->between(0.001, 1000.0)
      ->capture_default_str();
  app.add_flag("--stick", options.by_stick, "avoid, type nsm: only the path's velocities, no goal and no props");
  app.add_option("-o,--out", output, "Also write a JSON file with every task")->writes();
  app.add_flag("--json", json, "Print JSON instead of lines");
  if (const auto exit = parse(app, arguments)) return *exit;
  std::optional<ThreadPool> own;
  if (jobs > 0) own.emplace(jobs - 1);
  options.pool = own ? &*own : &ThreadPool::shared();
  std::vector<Prop> seats;
  for (const std::string& file : seat_files) {
    const auto seat = read_seat(file, seat_scale);
    if (!seat) return print_error(seat.error());
    seats.push_back(*seat);
  }
  auto deeds = read_deeds(deed_names);
  if (!deeds) return print_error(deeds.error());
  const bool avoids =
      deed_names.empty() || std::find(deed_names.begin(), deed_names.end(), "avoid") != deed_names.end();
  Json list = Json::array();
  for (const std::string& run : runs) {
    const auto controller = control::load_controller(run);
    if (!controller) return print_error(controller.error());
    const bool knows_deeds = (*controller)->make_state()->deed().has_value();
    std::vector<control::Deed> of_run = *deeds;
    if (deed_names.empty() && knows_deeds) of_run = {control::Deed::kSit, control::Deed::kCarry, control::Deed::kOpen};
    Json of_deeds = Json::object();
    if (!of_run.empty()) {
      const auto facts = control::load_deed_facts(run);
      if (!facts) return print_error(facts.error());
      if (!json) fmt::print("{} ({}):\n", run, (*controller)->type());
      for (const control::Deed deed : of_run) {
        of_deeds[control::name_of_task(deed)] = measure_deed(**controller, *facts, deed,
                                                             {.num_tasks = options.num_tasks,
                                                              .seed = options.seed,
                                                              .seconds = options.seconds,
                                                              .pool = options.pool,
                                                              .seats = seats},
                                                             json);
      }
    }
    if (!avoids) {
      list.push_back({{"subject", run}, {"kind", (*controller)->type()}, {"deeds", std::move(of_deeds)}});
      continue;
    }
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
                       {"pulled_m", r.pulled_m},
                       {"planned", r.planned},
                       {"reached", r.reached},
                       {"touched", r.touched},
                       {"recoveries", r.num_recoveries}});
      distances.push_back(r.distance_m), angles.push_back(r.angle_rad), depths.push_back(r.deepest_m);
    }
    list.push_back({{"subject", run},
                    {"kind", (*controller)->type()},
                    {"avoid",
                     {{"tasks", report.results.size()},
                      {"success", report.reached_share()},
                      {"clear", report.clear_share()},
                      {"distance_median_m", part_of(distances, 0.5)},
                      {"distance_p95_m", part_of(distances, 0.95)},
                      {"angle_p95_deg", 57.29578 * static_cast<double>(part_of(angles, 0.95))},
                      {"deepest_p95_m", part_of(depths, 0.95)},
                      {"foot_skate_cm_s", report.foot_skate_cm_s},
                      {"low_feet_cm_s", report.low_feet_cm_s},
                      {"pulled_share", report.pulled_share()}}},
                    {"results", std::move(tasks)},
                    {"deeds", std::move(of_deeds)}});
    if (json) continue;
    fmt::print(
        "{} ({}): avoid {} tasks: success {:.0f} %, clear {:.0f} %; distance {:.0f} cm (95 %: {:.0f} cm), angle "
        "95 %: {:.0f} degrees, foot skate {:.1f} cm/s (low feet {:.1f}), root moved by {:.1f} % of the distance\n",
        run, (*controller)->type(), report.results.size(), 100 * report.reached_share(), 100 * report.clear_share(),
        100 * static_cast<double>(part_of(distances, 0.5)), 100 * static_cast<double>(part_of(distances, 0.95)),
        57.29578 * static_cast<double>(part_of(angles, 0.95)), report.foot_skate_cm_s, report.low_feet_cm_s,
        100 * report.pulled_share());
  }
  if (json) fmt::print("{}\n", list.dump(2));
  if (output.empty()) return kDone;
  const auto written = write_file_atomic(output, list.dump(2) + "\n");
  return written ? static_cast<int>(kDone) : print_error(written.error());
}

}  // namespace zoe::cli
