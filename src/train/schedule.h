// SPDX-License-Identifier: MIT
// Part of Zoetrope. Learning rate and weight decay of a step. They are functions of the step alone, so that a resumed
// run continues unchanged.
#pragma once

#include <cstdint>

#include "train/settings.h"

namespace zoe::train {

struct StepRates {
  double rate = 0;   // Factor on Adam's step.
  double decay = 0;  // Weights are multiplied by 1 - decay.
};

// num_steps: of the whole run. Formulas: cosine restarts as in SGDR (Loshchilov and Hutter, 2017). AdamWR's decay is
// weight_decay * shape * sqrt(1 / (steps of an epoch * epochs of this period)), as in "Decoupled weight decay" (2019),
// where `shape` falls from 1 to 0 with the rate.
StepRates rates_at(const Settings& settings, std::int64_t step, std::int64_t num_steps, std::int64_t steps_per_epoch);

}  // namespace zoe::train
