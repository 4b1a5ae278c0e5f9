// SPDX-License-Identifier: MIT
#include "train/optimiser.h"

#include <cmath>

#include <ATen/Parallel.h>

#include "train/adam_kernel.h"

namespace zoe::train {

Optimiser::Optimiser(FlatWeights& weights, const Settings& settings, bool fused)
    : weights_(weights),
      settings_(settings),
      fused_(fused && weights.values.is_cpu() && weights.values.scalar_type() == at::kFloat) {
  means_ = at::zeros_like(weights.values);
  squares_ = at::zeros_like(weights.values);
  if (settings.ema > 0) averages_ = weights.values.detach().clone();
  steps_ = at::zeros({}, at::kLong);
  norm_ = at::zeros({}, weights.values.options());
  skipped_ = at::zeros({}, weights.values.options().dtype(at::kLong));
  in_a_row_ = at::zeros_like(skipped_);
}

void Optimiser::step(const StepRates& rates) {
  const c10::NoGradGuard no_gradients;
  norm_ = weights_.gradients.norm();
  if (fused_) {
    step_fused(rates);
  } else {
    step_by_operations(rates);
  }
}

void Optimiser::step_fused(const StepRates& rates) {
  const double norm = norm_.item<double>();
  if (!std::isfinite(norm)) {
    skipped_.add_(1);
    in_a_row_.add_(1);
    return;
  }
  in_a_row_.zero_();
  steps_.add_(1);
  const auto t = static_cast<double>(steps_.item<std::int64_t>());
  AdamStep adam;
  adam.weights = weights_.values.data_ptr<float>();
  adam.gradients = weights_.gradients.data_ptr<float>();
  adam.means = means_.data_ptr<float>();
  adam.squares = squares_.data_ptr<float>();
  adam.averages = averages_.defined() ? averages_.data_ptr<float>() : nullptr;
  adam.gradient_scale = settings_.clip_norm > 0 && norm > settings_.clip_norm
                            ? static_cast<float>(settings_.clip_norm / norm)
                            : 1.0F;
  adam.beta1 = static_cast<float>(settings_.beta1);
  adam.beta2 = static_cast<float>(settings_.beta2);
  adam.epsilon = static_cast<float>(settings_.epsilon);
  adam.rate = static_cast<float>(rates.rate / (1 - std::pow(settings_.beta1, t)));
  adam.square_scale = static_cast<float>(1 / (1 - std::pow(settings_.beta2, t)));
  adam.keep = static_cast<float>(1 - rates.decay);
  adam.ema = static_cast<float>(settings_.ema);
  at::parallel_for(0, weights_.values.numel(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    adam.run(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  });
}

// Without waiting for the device: a gradient that is not finite becomes a zero one, and the weights
// hold still.
void Optimiser::step_by_operations(const StepRates& rates) {
  const at::Tensor good = at::isfinite(norm_);
  skipped_.add_(good.logical_not());
  in_a_row_.add_(1).mul_(good.logical_not());
  steps_.add_(1);
  const auto t = static_cast<double>(steps_.item<std::int64_t>());
  at::Tensor scale = good.to(norm_.scalar_type());
  if (settings_.clip_norm > 0) scale = scale * (settings_.clip_norm / norm_).clamp_max(1);
  const at::Tensor gradient =
      at::nan_to_num(weights_.gradients, 0, 0, 0).mul_(at::nan_to_num(scale, 0, 0, 0));
  means_.lerp_(gradient, 1 - settings_.beta1);
  squares_.mul_(settings_.beta2).addcmul_(gradient, gradient, 1 - settings_.beta2);
  const at::Tensor spread =
      (squares_ / (1 - std::pow(settings_.beta2, t))).sqrt_().add_(settings_.epsilon);
  const at::Tensor change = (means_ / spread)
                                .mul_(rates.rate / (1 - std::pow(settings_.beta1, t)))
                                .add_(weights_.values, rates.decay);
  weights_.values.sub_(change.mul_(good));
  if (averages_.defined()) averages_.lerp_(weights_.values, 1 - settings_.ema);
}

std::vector<NamedTensor> Optimiser::state() const {
  std::vector<NamedTensor> all{{"adam.means", means_},
                               {"adam.squares", squares_},
                               {"adam.steps", steps_},
                               {"adam.skipped", skipped_},
                               {"adam.in_a_row", in_a_row_}};
  if (averages_.defined()) all.push_back({"ema", averages_});
  return all;
}

Optimiser::UseAverage::UseAverage(Optimiser& optimiser) : optimiser_(optimiser) {
  if (!optimiser.averages_.defined()) return;
  const c10::NoGradGuard no_gradients;
  saved_ = optimiser.weights_.values.clone();
  optimiser.weights_.values.copy_(optimiser.averages_);
}

Optimiser::UseAverage::~UseAverage() {
  if (!saved_.defined()) return;
  const c10::NoGradGuard no_gradients;
  optimiser_.weights_.values.copy_(saved_);
}

}  // namespace zoe::train
