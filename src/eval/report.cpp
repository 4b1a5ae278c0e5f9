// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "zoe/eval/evaluate.h"

namespace zoe::eval {

std::string to_json(std::span<const Evaluation> evaluations) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Evaluation& evaluation : evaluations) {
    Json metrics = Json::object();
    for (const auto& [name, summary] : evaluation.metrics) {
      metrics[name] = {{"mean", summary.mean}, {"std", summary.deviation}};
      metrics[name]["reference"] = summary.reference ? Json(*summary.reference) : Json(nullptr);
    }
    all.push_back({{"subject", evaluation.subject},
                   {"kind", evaluation.kind},
                   {"split", evaluation.split},
                   {"seeds", evaluation.num_seeds},
                   {"metrics", std::move(metrics)},
                   {"courses", evaluation.courses}});
  }
  // One object for one run, as every `zoe eval`; a list for several.
  return (all.size() == 1 ? all[0] : all).dump(2) + "\n";
}

std::string to_markdown(std::span<const Evaluation> evaluations) {
  std::vector<std::string> names;
  for (const Evaluation& evaluation : evaluations) {
    for (const auto& [name, summary] : evaluation.metrics) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::string text = "| |", rule = "|---|";
  for (const Evaluation& evaluation : evaluations) {
    text += fmt::format(" {} ({}) |", evaluation.subject, evaluation.kind);
    rule += "---|";
  }
  text += " source mocap |\n" + rule + "---|\n";
  for (const std::string& name : names) {
    text += fmt::format("| {} |", name);
    std::optional<double> reference;
    for (const Evaluation& evaluation : evaluations) {
      const auto found = std::find_if(evaluation.metrics.begin(), evaluation.metrics.end(),
                                      [&](const auto& metric) { return metric.first == name; });
      if (found == evaluation.metrics.end()) {
        text += " |";
        continue;
      }
      text += fmt::format(" {:.3g} ± {:.2g} |", found->second.mean, found->second.deviation);
      if (!reference) reference = found->second.reference;
    }
    text += reference ? fmt::format(" {:.3g} |\n", *reference) : " |\n";
  }
  return text;
}

}  // namespace zoe::eval
