// SPDX-License-Identifier: MIT
#include "train/style/window_net.h"

#include <cmath>

namespace zoe::train {
namespace {

constexpr std::int64_t kKernel = 5;
constexpr float kLeastVariance = 1e-4F;  // The gradient of a square root is infinite at zero: still windows.

}  // namespace

WindowNet::WindowNet(Parameters& parameters, const std::string& name_, std::int64_t in, std::int64_t channels_,
                     int layers, bool with_deviation_)
    : name(name_), channels(channels_), with_deviation(with_deviation_) {
  for (int i = 0; i < layers; ++i) {
    const std::int64_t from = i == 0 ? in : channels;
    const double bound = 1 / std::sqrt(static_cast<double>(from * kKernel));
    const std::string layer = name + "." + std::to_string(i);
    at::Tensor weight = parameters.weight(layer + ".weight", {channels, from, kKernel}, bound);
    convolutions.push_back({layer, weight, parameters.weight(layer + ".bias", {channels}, bound)});
  }
}

at::Tensor WindowNet::operator()(const at::Tensor& x) const {
  at::Tensor h = x.transpose(1, 2).contiguous();
  for (const Layer& layer : convolutions)
    h = at::silu(at::conv1d(h, layer.weight, layer.bias, /*stride=*/2, /*padding=*/kKernel / 2));
  const at::Tensor mean = h.mean(2);
  if (!with_deviation) return mean;
  const at::Tensor variance = h.square().mean(2) - mean.square();
  return at::cat({mean, (variance + kLeastVariance).clamp_min(1e-6).sqrt()}, 1);
}

int WindowNet::build(GraphBuilder& b, int x) const {
  const GraphBuilder::Conv conv{.stride = 2, .padding = kKernel / 2};
  int h = x;
  for (const Layer& layer : convolutions)
    h = b.conv1d(h, layer.name, dims_of(layer.weight), floats_of(layer.weight), floats_of(layer.bias), conv,
                 Activation::kSilu);
  // A mean over time as a product: TorchScript files have it.
  const std::size_t steps = static_cast<std::size_t>(b.shape(h).steps);
  const std::vector<float> shares(steps, 1.0F / static_cast<float>(steps));
  const auto mean_of = [&](int value, std::span<const float> weights) {
    return b.transpose(b.linear(b.transpose(value), name + ".mean", {1, steps}, weights, {}));
  };
  const int mean = mean_of(h, shares);
  if (!with_deviation) return mean;
  const int variance = b.subtract(mean_of(b.multiply(h, h), {}), b.multiply(mean, mean));
  const std::vector<float> least(static_cast<std::size_t>(channels), kLeastVariance);
  const int raised = b.add(variance, b.constant(name + ".least", 1, static_cast<int>(channels), least));
  return b.concat({mean, b.activation(raised, Activation::kSquareRoot)});
}

}  // namespace zoe::train
