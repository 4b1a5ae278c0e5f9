// SPDX-License-Identifier: MIT
#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace zoe::train {

StepRates rates_at(const Settings& settings, std::int64_t step, std::int64_t num_steps, std::int64_t steps_per_epoch) {
  const double epoch = static_cast<double>(step) / static_cast<double>(steps_per_epoch);
  const auto cosine = [](double done) { return 0.5 * (1 + std::cos(std::numbers::pi * std::min(done, 1.0))); };
  double period_epochs = static_cast<double>(num_steps) / static_cast<double>(steps_per_epoch);
  double shape = 1;  // 1 at the highest rate, 0 at the lowest.
  switch (settings.schedule) {
    case Schedule::kConstant:
      break;
    case Schedule::kCosine:
      shape = cosine(static_cast<double>(step) / static_cast<double>(num_steps));
      break;
    case Schedule::kExponential:
      shape = std::pow(settings.rate_per_epoch, epoch);
      break;
    case Schedule::kWarmRestarts: {
      double begin = 0;
      period_epochs = settings.restart_epochs;
      // A small slack: epoch 10 of a period of 10 begins the next one, for any rounding.
      while (epoch + 1e-9 >= begin + period_epochs) {
        begin += period_epochs;
        period_epochs *= settings.restart_factor;
      }
      shape = cosine((epoch - begin) / period_epochs);
      break;
    }
  }
  StepRates rates;
  rates.rate = settings.min_rate + (settings.rate - settings.min_rate) * shape;
  if (step < settings.warmup_steps)
    rates.rate *= static_cast<double>(step + 1) / static_cast<double>(settings.warmup_steps);
  rates.decay = settings.normalised_decay ? settings.weight_decay * shape *
                                                std::sqrt(1 / (static_cast<double>(steps_per_epoch) * period_epochs))
                                          : settings.weight_decay * rates.rate;
  return rates;
}

}  // namespace zoe::train
