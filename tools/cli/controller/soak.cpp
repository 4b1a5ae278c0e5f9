// SPDX-License-Identifier: MIT
// `zoe soak`: crowds of controllers to which everything happens at random.
#include "zoe/eval/soak.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/control/load.h"
#include "zoe/core/thread_pool.h"

#include "verbs.h"

namespace zoe::cli {
namespace {

void print_line(const eval::Soak& soak) {
  fmt::print(
      "{:6.0f} s: {:.2f} simulated hours, {} ticks, {} spawns, {} rollbacks, {} restores; {:.0f} MB, {} not finite, "
      "{} hashes unequal, {} recoveries, contact {:.1f} then {:.1f} cm/s\n",
      soak.wall_s, soak.simulated_s / 3600, soak.ticks, soak.spawns, soak.rollbacks, soak.restores, soak.resident_mb,
      soak.not_finite, soak.hash_mismatches, soak.recoveries, soak.first_contact_cm_s, soak.last_contact_cm_s);
  std::fflush(stdout);
}

nlohmann::ordered_json report_of(const eval::Soak& soak) {
  return {{"wall_s", soak.wall_s},
          {"simulated_s", soak.simulated_s},
          {"ticks", soak.ticks},
          {"character_ticks", soak.character_ticks},
          {"spawns", soak.spawns},
          {"despawns", soak.despawns},
          {"rollbacks", soak.rollbacks},
          {"restores", soak.restores},
          {"damaged", soak.damaged},
          {"recoveries", soak.recoveries},
          {"not_finite", soak.not_finite},
          {"hash_mismatches", soak.hash_mismatches},
          {"refused", soak.refused},
          {"warm_mb", soak.warm_mb},
          {"resident_mb", soak.resident_mb},
          {"first_contact_cm_s", soak.first_contact_cm_s},
          {"last_contact_cm_s", soak.last_contact_cm_s},
          {"findings", soak.findings}};
}

}  // namespace

int run_soak(const Arguments& arguments) {
  Options app;
  std::vector<std::string> runs;
  eval::SoakOptions options;
  bool json = false;
  app.add_option("runs", runs, "Run folders or .zoe files; all are in one crowd")->required()->reads();
  app.add_option("--minutes", options.minutes, "Wall-clock time")
      ->between(0.01, 10'000, "minutes")
      ->capture_default_str();
  app.add_option("--ticks", options.max_ticks, "Ends after this number of ticks instead: the same run on every machine")
      ->between(1, 1e9);
  app.add_option("--crowd", options.crowd, "Characters at the same time")->between(2, 10'000)->capture_default_str();
  app.add_option("--seed", options.seed, "The same seed gives the same events")->at_least_zero();
  app.add_flag("--json", json, "Print the counts and findings as JSON");
  if (const auto exit = parse(app, arguments)) return *exit;
  std::vector<control::ControllerPtr> models;
  for (const std::string& run : runs) {
    auto model = control::load_controller(run);
    if (!model) return print_error(model.error());
    models.push_back(std::move(*model));
  }
  if (!quiet() && !json) options.on_progress = print_line;
  const eval::Soak soak = eval::run_soak(models, ThreadPool::shared(), options);
  if (json) {
    fmt::print("{}\n", report_of(soak).dump(2));
  } else {
    print_line(soak);
    for (const std::string& finding : soak.findings) fmt::print("{}\n", finding);
    fmt::print("{} finding(s), seed {}\n", soak.findings.size(), options.seed);
  }
  return soak.findings.empty() ? kDone : kFailed;
}

}  // namespace zoe::cli
