// SPDX-License-Identifier: MIT
#include "train/loss_schedule.h"

#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include "zoe/core/suggest.h"

namespace zoe::train {
namespace {

constexpr std::string_view kLossPrefix = "loss.", kLossWeight = ".weight";

}  // namespace

double LossSetting::at(std::int64_t step) const {
  if (schedule == LossSchedule::kConstant || step >= last_step) return weight;
  if (step <= first_step) return first_weight;
  double done = static_cast<double>(step - first_step) / static_cast<double>(last_step - first_step);
  if (schedule == LossSchedule::kCosine) done = 0.5 * (1 - std::cos(std::numbers::pi * done));
  return first_weight + (weight - first_weight) * done;
}

void add_loss_keys(ConfigSchema& schema, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string key = std::string(kLossPrefix) + name;
    schema.add(key + std::string(kLossWeight), 1.0, "factor of this loss, at the end of its schedule")
        .add(key + ".schedule", std::string("constant"), "constant, linear or cosine from first_step to last_step")
        .add(key + ".first_weight", 0.0, "the factor at first_step and before")
        .add(key + ".first_step", 0)
        .add(key + ".last_step", 0);
  }
}

Result<std::vector<LossSetting>> read_loss_settings(const Config& config) {
  const std::vector<std::string> words{"constant", "linear", "cosine"};
  std::vector<LossSetting> all;
  for (const ConfigEntry& entry : config.entries()) {
    if (!entry.key.starts_with(kLossPrefix) || !entry.key.ends_with(kLossWeight)) continue;
    LossSetting one;
    one.name = entry.key.substr(kLossPrefix.size(), entry.key.size() - kLossPrefix.size() - kLossWeight.size());
    const std::string key = std::string(kLossPrefix) + one.name;
    const auto factor = [&](const char* name) -> Result<double> {
      const auto value = config.get<double>(key + name);
      if (std::abs(value) <= 1e9) return value;
      return Error{ErrorCode::kUsage, fmt::format("{}{} = {}: must be from -1e9 to 1e9", key, name, value)};
    };
    ZOE_TRY_ASSIGN(one.weight, factor(".weight"));
    ZOE_TRY_ASSIGN(one.first_weight, factor(".first_weight"));
    const auto& word = config.get<std::string>(key + ".schedule");
    std::size_t schedule = 0;
    while (schedule < words.size() && words[schedule] != word) ++schedule;
    if (schedule == words.size())
      return Error{ErrorCode::kUsage, fmt::format("{}.schedule = '{}': must be {}{}", key, word, fmt::join(words, ", "),
                                                  did_you_mean(word, words))};
    one.schedule = static_cast<LossSchedule>(schedule);
    one.first_step = config.get<std::int64_t>(key + ".first_step");
    one.last_step = config.get<std::int64_t>(key + ".last_step");
    if (one.first_step < 0 || one.last_step < 0)
      return Error{ErrorCode::kUsage, fmt::format("{}: first_step and last_step must be 0 or more", key)};
    if (one.schedule != LossSchedule::kConstant && one.last_step <= one.first_step)
      return Error{ErrorCode::kUsage, fmt::format("{0}.last_step = {1}: must be above {0}.first_step = {2}", key,
                                                  one.last_step, one.first_step)};
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace zoe::train
