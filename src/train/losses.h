// SPDX-License-Identifier: MIT
// Part of Zoetrope. A model's loss as a weighted sum of named terms. The weights are settings (loss_schedule.h); they
// are applied here and nowhere else.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "train/loss_schedule.h"
#include "train/torch.h"

namespace zoe::train {

using LoggedValues = std::vector<std::pair<std::string, at::Tensor>>;  // Scalars.

struct Losses {
  at::Tensor total;     // The minimised value; a scalar.
  LoggedValues values;  // Further logged values.
};

struct LossTerm {
  std::string name;  // Declared by add_loss_keys().
  at::Tensor value;  // A scalar; logged without its weight.
  double scale = 1;  // The model's own factor, besides the setting.
};

class LossWeights {
 public:
  // The settings must be in range (read_loss_settings).
  LossWeights(const Config& config, const at::TensorOptions& options);

  // The weights of a step. They lie on the device, so that a recorded step reads new ones.
  void set_step(std::int64_t step);

  // Sum of scale * weight * value, in this order. Training uses the weights of the step, else the last ones: then two
  // validations compare. Terms and `values` are logged.
  Losses sum(std::vector<LossTerm> terms, bool training, LoggedValues values = {}) const;

  // Names and present weights of the terms whose weight changes.
  std::vector<std::pair<std::string, double>> changing(std::int64_t step) const;

 private:
  std::vector<LossSetting> settings_;
  at::Tensor weights_;  // [settings], on the device.
};

}  // namespace zoe::train
