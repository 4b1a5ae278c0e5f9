// SPDX-License-Identifier: MIT
#include "train/optimiser.h"

#include <cmath>

#include <ATen/Parallel.h>

#include "train/adam_kernel.h"

namespace zoe::train {
namespace {

// Values that set_rates() stores on the device.
enum Number : std::int64_t { kCorrectedRate, kSquareScale, kDecay, kRate, kStep, kAverage, kNumbers };

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
constexpr bool kDeviceKernel = true;
#else
constexpr bool kDeviceKernel = false;
#endif

}  // namespace

Optimiser::Optimiser(FlatWeights& weights, const Settings& settings, bool fused)
    : weights_(weights),
      settings_(settings),
      fused_(fused && weights.values.scalar_type() == at::kFloat && (weights.values.is_cpu() || kDeviceKernel)) {
  means_ = at::zeros_like(weights.values);
  squares_ = at::zeros_like(weights.values);
  if (settings.ema > 0) averages_ = weights.values.detach().clone();
  steps_ = at::zeros({}, at::kLong);
  norm_ = at::zeros({}, weights.values.options());
  skipped_ = at::zeros({}, weights.values.options().dtype(at::kLong));
  in_a_row_ = at::zeros_like(skipped_);
  numbers_ = at::zeros({kNumbers}, weights.values.options());
}

void Optimiser::set_rates(const StepRates& rates) {
  rates_ = rates;
  if (fused_ && numbers_.is_cpu()) return;
  steps_.add_(1);
  const auto t = static_cast<double>(steps_.item<std::int64_t>());
  const double values[] = {rates.rate / (1 - std::pow(settings_.beta1, t)),
                           1 / (1 - std::pow(settings_.beta2, t)),
                           rates.decay,
                           rates.rate,
                           t,
                           share_of_average(t)};
  at::Tensor host = at::empty({kNumbers}, at::TensorOptions().dtype(at::kFloat).pinned_memory(numbers_.is_cuda()));
  for (std::int64_t i = 0; i < kNumbers; ++i) host.data_ptr<float>()[i] = static_cast<float>(values[i]);
  numbers_.copy_(host, /*non_blocking=*/true);
}

double Optimiser::share_of_average(double step) const {
  return settings_.ema > 0 ? (1 - settings_.ema) / (1 - std::pow(settings_.ema, step)) : 0;
}

void Optimiser::apply() {
  const c10::NoGradGuard no_gradients;
  norm_.copy_(weights_.gradients.norm());
  if (!fused_) {
    apply_by_operations();
  } else if (numbers_.is_cpu()) {
    apply_fused();
  } else {
    apply_on_device();
  }
}

void Optimiser::apply_fused() {
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
  adam.gradient_scale =
      settings_.clip_norm > 0 && norm > settings_.clip_norm ? static_cast<float>(settings_.clip_norm / norm) : 1.0F;
  adam.beta1 = static_cast<float>(settings_.beta1);
  adam.beta2 = static_cast<float>(settings_.beta2);
  adam.epsilon = static_cast<float>(settings_.epsilon);
  adam.rate = static_cast<float>(rates_.rate / (1 - std::pow(settings_.beta1, t)));
  adam.square_scale = static_cast<float>(1 / (1 - std::pow(settings_.beta2, t)));
  adam.keep = static_cast<float>(1 - rates_.decay);
  adam.ema = static_cast<float>(1 - share_of_average(t));
  at::parallel_for(0, weights_.values.numel(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    adam.run(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  });
}

// Neither waits for the device: a gradient that is not finite is detected there, and the weights do not change.

// One pass by libtorch's own kernel, where it has one. The decay of the weights is computed here.
void Optimiser::apply_on_device() {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
  const at::Tensor bad = at::isfinite(norm_).logical_not();
  skipped_.add_(bad);
  in_a_row_.add_(1).mul_(bad);
  std::optional<at::Tensor> longer;  // The kernel divides gradients by this.
  if (settings_.clip_norm > 0) longer = (norm_ / settings_.clip_norm).clamp_min(1);
  weights_.values.mul_(1 - numbers_[kDecay] * bad.logical_not());
  at::_fused_adamw_({weights_.values}, {weights_.gradients}, {means_}, {squares_}, {}, {numbers_[kStep]},
                    numbers_[kRate], settings_.beta1, settings_.beta2,
                    /*weight_decay=*/0, settings_.epsilon, /*amsgrad=*/false, /*maximize=*/false, longer,
                    bad.to(norm_.scalar_type()));
  if (averages_.defined()) averages_.lerp_(weights_.values, numbers_[kAverage]);
#endif
}

void Optimiser::apply_by_operations() {
  const at::Tensor good = at::isfinite(norm_);
  skipped_.add_(good.logical_not());
  in_a_row_.add_(1).mul_(good.logical_not());
  at::Tensor scale = good.to(norm_.scalar_type());
  if (settings_.clip_norm > 0) scale = scale * (settings_.clip_norm / norm_).clamp_max(1);
  const at::Tensor gradient = at::nan_to_num(weights_.gradients, 0, 0, 0).mul_(at::nan_to_num(scale, 0, 0, 0));
  means_.lerp_(gradient, 1 - settings_.beta1);
  squares_.mul_(settings_.beta2).addcmul_(gradient, gradient, 1 - settings_.beta2);
  const at::Tensor spread = (squares_ * numbers_[kSquareScale]).sqrt_().add_(settings_.epsilon);
  const at::Tensor change = (means_ / spread).mul_(numbers_[kCorrectedRate]).add_(weights_.values * numbers_[kDecay]);
  weights_.values.sub_(change.mul_(good));
  if (averages_.defined()) averages_.lerp_(weights_.values, numbers_[kAverage]);
}

std::vector<NamedTensor> Optimiser::state(const std::string& turn) const {
  std::vector<NamedTensor> all{{"adam.means", means_},
                               {"adam.squares", squares_},
                               {"adam.steps", steps_},
                               {"adam.skipped", skipped_},
                               {"adam.in_a_row", in_a_row_}};
  if (averages_.defined()) all.push_back({"ema", averages_});
  if (!turn.empty()) {
    for (NamedTensor& one : all) one.name = turn + "." + one.name;
  }
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
