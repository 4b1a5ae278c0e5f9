// SPDX-License-Identifier: MIT
// Part of Zoetrope. Models whose parts are optimised in turn, such as a generator and its critic: which part a step
// belongs to is a function of the step alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zoe/store/config.h"

namespace zoe::train {

struct TurnSetting {
  std::string name;        // Empty: the only one.
  std::int64_t steps = 1;  // Steps in a row, before the next part's turn.
  double rate_factor = 1;  // Of the learning rate.
  double beta1 = -1;       // Adam's; below 0: train.beta1.
};

// Declares turn.NAME.steps, .rate_factor and .beta1, with the given defaults.
void add_turn_keys(ConfigSchema& schema, const TurnSetting& defaults);

// In the order of declaration; one without a name where none is declared. Refuses values out of range, by key.
Result<std::vector<TurnSetting>> read_turn_settings(const Config& config);

// Index of the part that step `step` optimises.
std::size_t turn_at(const std::vector<TurnSetting>& turns, std::int64_t step);

}  // namespace zoe::train
