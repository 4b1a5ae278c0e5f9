// SPDX-License-Identifier: MIT
// Part of Zoetrope. Weights of a model's named losses: constant, or rising or falling between two steps. They are
// functions of the step alone, so that a resumed run continues unchanged.
//
//   add_loss_keys(schema, {"reconstruction", "divergence"});
//   --set loss.divergence.weight=1 --set loss.divergence.schedule=linear --set loss.divergence.last_step=5000
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zoe/store/config.h"

namespace zoe::train {

enum class LossSchedule : std::uint8_t { kConstant, kLinear, kCosine };

struct LossSetting {
  std::string name;
  double weight = 1;  // At the end, and for validation.
  LossSchedule schedule = LossSchedule::kConstant;
  double first_weight = 0;                     // At first_step and before.
  std::int64_t first_step = 0, last_step = 0;  // The weight changes between them.

  double at(std::int64_t step) const;
};

// Declares loss.NAME.weight, .schedule, .first_weight, .first_step and .last_step for each name.
void add_loss_keys(ConfigSchema& schema, const std::vector<std::string>& names);

// In the order of declaration. Refuses values out of range, by key.
Result<std::vector<LossSetting>> read_loss_settings(const Config& config);

}  // namespace zoe::train
