// SPDX-License-Identifier: MIT
#include "controller/measure_rig.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "controller/playable.h"
#include "verb.h"

namespace zoe::cli {

int measure_rig(const std::string& file, const std::string& overrides) {
  const auto rig = load_alive(file, overrides);
  if (!rig) return print_error(rig.error());
  const auto report = author::measure_alive(rig->alive, rig->asset);
  if (!report) return print_error(report.error());
  const auto rounded = [](double x) { return std::round(x * 1e5) / 1e5; };
  const control::GaitPlan& plan = rig->alive.plan;
  nlohmann::ordered_json out{{"file", file},
                             {"family", to_string(rig->alive.analysis.family)},
                             {"locomotion", to_string(plan.locomotion)},
                             {"legs", plan.legs.size()},
                             {"joints", rig->alive.body.skeleton->num_joints()},
                             {"walk_mps", rounded(static_cast<double>(plan.settings.walk_mps))},
                             {"run_mps", rounded(static_cast<double>(plan.settings.run_mps))},
                             {"stride_hz", rounded(static_cast<double>(plan.settings.stride_hz))},
                             {"leg_length_m", rounded(static_cast<double>(plan.settings.leg_length_m))},
                             {"body_length_m", rounded(static_cast<double>(plan.settings.body_length_m))},
                             {"plan_seconds", rounded(rig->seconds)},
                             {"seconds", rounded(report->seconds)},
                             {"path_error", rounded(report->path_error)},
                             {"worst_path_error", rounded(report->worst_path_error)},
                             {"skate", rounded(report->skate)},
                             {"found_skate", rounded(report->found_skate)},
                             {"synthetic_skate", rounded(report->synthetic_skate)},
                             {"limit_rad", rounded(report->limit_rad)},
                             {"limit_joint", report->limit_joint},
                             {"sunk", rounded(report->sunk)},
                             {"stretch", rounded(report->stretch)},
                             {"allowed_stretch", rounded(report->allowed_stretch)},
                             {"recoveries", report->num_recoveries},
                             {"notes", rig->alive.notes}};
  fmt::print("{}\n", out.dump(2));
  return kDone;
}

}  // namespace zoe::cli
