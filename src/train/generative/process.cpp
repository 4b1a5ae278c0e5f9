// SPDX-License-Identifier: MIT
#include "train/generative/process.h"

#include <ATen/CPUGeneratorImpl.h>

namespace zoe::train {

Process::Process(nn::NoiseProcess numbers, nn::LossWeight weight, at::TensorOptions options)
    : numbers_(std::move(numbers)) {
  const auto table = [&](auto&& of) {
    std::vector<float> values;
    for (int level = 0; level <= numbers_.levels(); ++level) values.push_back(static_cast<float>(of(level)));
    return at::tensor(values).to(options);
  };
  alphas_ = table([&](int level) { return numbers_.alphas()[static_cast<std::size_t>(level)]; });
  sigmas_ = table([&](int level) { return numbers_.sigmas()[static_cast<std::size_t>(level)]; });
  target_data_ = table([&](int level) { return numbers_.target(level).data; });
  target_noise_ = table([&](int level) { return numbers_.target(level).noise; });
  to_data_x_ = table([&](int level) { return numbers_.to_data(level).x; });
  to_data_prediction_ = table([&](int level) { return numbers_.to_data(level).prediction; });
  // Level 0 has no noise, so neither a slope nor a weight.
  slope_x_ = table([&](int level) { return level > 0 ? numbers_.slope(level).x : 0; });
  slope_data_ = table([&](int level) { return level > 0 ? numbers_.slope(level).data : 0; });
  weights_ = table([&](int level) { return level > 0 ? numbers_.loss_weight(level, weight) : 0; });
}

at::Tensor Process::at_levels(const at::Tensor& table, const at::Tensor& levels, const at::Tensor& x) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
  shape[0] = levels.size(0);
  return table.index_select(0, levels).view(shape);
}

at::Tensor Process::levels(std::int64_t batch, bool training) const {
  const auto options = alphas_.options().dtype(at::kLong);
  if (training) return at::randint(1, numbers_.levels() + 1, {batch}, options);
  const at::Tensor at = (at::arange(batch, alphas_.options()) + 0.5) / static_cast<double>(batch);
  return (at * numbers_.levels()).to(at::kLong) + 1;
}

at::Tensor Process::time(const at::Tensor& levels) const {
  return (levels.to(alphas_.scalar_type()) / static_cast<double>(numbers_.levels())).unsqueeze(1);
}

at::Tensor Process::noised(const at::Tensor& data, const at::Tensor& noise, const at::Tensor& levels) const {
  return at_levels(alphas_, levels, data) * data + at_levels(sigmas_, levels, data) * noise;
}

at::Tensor Process::target(const at::Tensor& data, const at::Tensor& noise, const at::Tensor& levels) const {
  return at_levels(target_data_, levels, data) * data + at_levels(target_noise_, levels, data) * noise;
}

at::Tensor Process::loss_weight(const at::Tensor& levels) const { return weights_.index_select(0, levels); }

at::Tensor Process::to_data(const at::Tensor& x, const at::Tensor& prediction, const at::Tensor& levels) const {
  return at_levels(to_data_x_, levels, x) * x + at_levels(to_data_prediction_, levels, x) * prediction;
}

at::Tensor Process::to_noise(const at::Tensor& x, const at::Tensor& data, const at::Tensor& levels) const {
  return (x - at_levels(alphas_, levels, x) * data) / at_levels(sigmas_, levels, x);
}

at::Tensor Process::velocity(const at::Tensor& x, const at::Tensor& data, const at::Tensor& levels) const {
  return at_levels(slope_x_, levels, x) * x + at_levels(slope_data_, levels, x) * data;
}

at::Tensor Process::step(const at::Tensor& x, const at::Tensor& data, const at::Tensor& from,
                         const at::Tensor& to) const {
  const at::Tensor kept = at_levels(sigmas_, to, x) / at_levels(sigmas_, from, x);
  return kept * x + (at_levels(alphas_, to, x) - kept * at_levels(alphas_, from, x)) * data;
}

at::Tensor Process::data_of_step(const at::Tensor& x, const at::Tensor& moved, const at::Tensor& from,
                                 const at::Tensor& to) const {
  const at::Tensor kept = at_levels(sigmas_, to, x) / at_levels(sigmas_, from, x);
  return (moved - kept * x) / (at_levels(alphas_, to, x) - kept * at_levels(alphas_, from, x));
}

at::Tensor sample(const Process& process, std::span<const nn::SamplerStage> stages, const Predict& predict,
                  at::Tensor x, const std::function<at::Tensor(const at::Tensor& x)>& fresh) {
  at::Tensor held;
  for (const nn::SamplerStage& stage : stages) {
    const nn::NoiseProcess::ToData to_data = process.numbers().to_data(stage.level);
    const at::Tensor time = at::full({x.size(0), 1}, stage.time, x.options());
    const at::Tensor data = to_data.x * x + to_data.prediction * predict(x, time);
    at::Tensor next = stage.x * x + stage.data * data;
    if (stage.noise != 0) next = next + stage.noise * fresh(x);
    if (stage.held != 0) next = next + stage.held * held;
    if (stage.holds) held = stage.hold_x * x + stage.hold_data * data;
    x = next;
  }
  return x;
}

at::Tensor guided(double scale, const at::Tensor& without, const at::Tensor& with) {
  return without + scale * (with - without);
}

at::Tensor fixed_noise(const at::Tensor& like) {
  const at::Generator generator = at::detail::createCPUGenerator(1);
  return at::randn(like.sizes(), generator, like.options().device(at::kCPU)).to(like.device());
}

}  // namespace zoe::train
