// SPDX-License-Identifier: MIT
#include "train/losses.h"

#include <algorithm>

namespace zoe::train {

LossWeights::LossWeights(const Config& config, const at::TensorOptions& options)
    : settings_(read_loss_settings(config).value()),
      weights_(at::ones({static_cast<std::int64_t>(settings_.size())}, options)) {}

void LossWeights::set_step(std::int64_t step) {
  if (changing(step).empty()) return;
  at::Tensor host =
      at::empty(weights_.sizes(), at::TensorOptions().dtype(weights_.scalar_type()).pinned_memory(weights_.is_cuda()));
  for (std::size_t i = 0; i < settings_.size(); ++i) host[static_cast<std::int64_t>(i)] = settings_[i].at(step);
  weights_.copy_(host, /*non_blocking=*/true);
}

Losses LossWeights::sum(std::vector<LossTerm> terms, bool training, LoggedValues values) const {
  Losses losses;
  for (LossTerm& term : terms) {
    const auto setting = std::ranges::find(settings_, term.name, &LossSetting::name);
    ZOE_CHECK(setting != settings_.end(), "the model does not declare its loss '" + term.name + "'");
    at::Tensor part = term.value;
    double factor = term.scale;
    if (training && setting->schedule != LossSchedule::kConstant)
      part = part * weights_[setting - settings_.begin()];
    else
      factor *= setting->weight;
    if (factor != 1) part = factor * part;  // A weight of 1 leaves every bit as it is.
    losses.total = losses.total.defined() ? losses.total + part : part;
    losses.values.emplace_back(std::move(term.name), term.value);
  }
  for (auto& value : values) losses.values.push_back(std::move(value));
  return losses;
}

std::vector<std::pair<std::string, double>> LossWeights::changing(std::int64_t step) const {
  std::vector<std::pair<std::string, double>> all;
  for (const LossSetting& setting : settings_) {
    if (setting.schedule != LossSchedule::kConstant) all.emplace_back(setting.name, setting.at(step));
  }
  return all;
}

}  // namespace zoe::train
