// SPDX-License-Identifier: MIT
#include "train/parameters.h"

#include <numeric>

#include "zoe/core/check.h"

namespace zoe::train {

at::Tensor Parameters::weight(std::string name, at::IntArrayRef shape, double bound, double middle) {
  // Drawn on the CPU in float: the same start on every device.
  at::Tensor tensor = at::empty(shape, at::kFloat).uniform_(-1, 1).mul_(bound).add_(middle).to(options_);
  tensor.set_requires_grad(true);
  weights_.push_back({std::move(name), tensor});
  return tensor;
}

at::Tensor Parameters::buffer(std::string name, const at::Tensor& initial) {
  at::Tensor tensor = initial.to(options_).clone();
  buffers_.push_back({std::move(name), tensor});
  return tensor;
}

namespace {
std::vector<std::size_t> all_of(const Parameters& parameters) {
  std::vector<std::size_t> all(parameters.weights().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}
}  // namespace

FlatWeights::FlatWeights(const Parameters& parameters) : FlatWeights(parameters, all_of(parameters)) {}

FlatWeights::FlatWeights(const Parameters& parameters, const std::vector<std::size_t>& which) {
  constexpr std::int64_t kAlignment = 16;  // Elements.
  std::int64_t size = 0;
  for (const std::size_t i : which) {
    const NamedTensor& weight = parameters.weights()[i];
    places_.push_back({size, weight.tensor.numel(), weight.tensor.sizes().vec()});
    size += (weight.tensor.numel() + kAlignment - 1) / kAlignment * kAlignment;
  }
  values = at::zeros({size}, parameters.options());
  gradients = at::zeros({size}, parameters.options());
  const c10::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    at::Tensor tensor = parameters.weights()[which[i]].tensor;
    at::Tensor view = slice(values, i);
    view.copy_(tensor);
    tensor.set_data(view);
    tensor.mutable_grad() = slice(gradients, i);
  }
}

at::Tensor FlatWeights::slice(const at::Tensor& flat, std::size_t i) const {
  return flat.narrow(0, places_[i].begin, places_[i].size).view(places_[i].shape);
}

}  // namespace zoe::train
