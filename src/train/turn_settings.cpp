// SPDX-License-Identifier: MIT
#include "train/turn_settings.h"

#include <string_view>

#include <fmt/format.h>

namespace zoe::train {
namespace {

constexpr std::string_view kTurnPrefix = "turn.", kTurnSteps = ".steps";

}  // namespace

void add_turn_keys(ConfigSchema& schema, const TurnSetting& defaults) {
  const std::string key = std::string(kTurnPrefix) + defaults.name;
  schema.add(key + std::string(kTurnSteps), defaults.steps, "steps of this part in a row, before the next part's turn")
      .add(key + ".rate_factor", defaults.rate_factor, "factor on the learning rate")
      .add(key + ".beta1", defaults.beta1, "of this part's Adam; below 0: train.beta1");
}

Result<std::vector<TurnSetting>> read_turn_settings(const Config& config) {
  std::vector<TurnSetting> all;
  for (const ConfigEntry& entry : config.entries()) {
    if (!entry.key.starts_with(kTurnPrefix) || !entry.key.ends_with(kTurnSteps)) continue;
    TurnSetting one;
    one.name = entry.key.substr(kTurnPrefix.size(), entry.key.size() - kTurnPrefix.size() - kTurnSteps.size());
    const std::string key = std::string(kTurnPrefix) + one.name;
    one.steps = config.get<std::int64_t>(entry.key);
    if (one.steps < 1 || one.steps > 1'000'000)
      return Error{ErrorCode::kUsage, fmt::format("{} = {}: must be from 1 to 1000000", entry.key, one.steps)};
    one.rate_factor = config.get<double>(key + ".rate_factor");
    if (!(one.rate_factor >= 0 && one.rate_factor <= 1000))
      return Error{ErrorCode::kUsage, fmt::format("{}.rate_factor = {}: must be from 0 to 1000", key, one.rate_factor)};
    one.beta1 = config.get<double>(key + ".beta1");
    if (!(one.beta1 >= -1 && one.beta1 <= 0.99999))
      return Error{ErrorCode::kUsage, fmt::format("{}.beta1 = {}: must be from -1 to 0.99999", key, one.beta1)};
    all.push_back(std::move(one));
  }
  if (all.empty()) all.emplace_back();
  return all;
}

std::size_t turn_at(const std::vector<TurnSetting>& turns, std::int64_t step) {
  std::int64_t round = 0;
  for (const TurnSetting& turn : turns) round += turn.steps;
  std::int64_t position = step % round;
  std::size_t i = 0;
  while (position >= turns[i].steps) position -= turns[i++].steps;
  return i;
}

}  // namespace zoe::train
