// SPDX-License-Identifier: MIT
// Part of Zoetrope. A model's named tensors: trained weights, and buffers that are stored with them.
#pragma once

#include <string>
#include <vector>

#include "train/torch.h"

namespace zoe::train {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

// Returned tensors stay the same objects. Their storage may be moved (FlatWeights does).
class Parameters {
 public:
  explicit Parameters(at::TensorOptions options) : options_(options) {}

  // Uniform in [-bound, bound] around `middle`, from torch's generator.
  at::Tensor weight(std::string name, at::IntArrayRef shape, double bound, double middle = 0);
  at::Tensor buffer(std::string name, const at::Tensor& initial);

  const std::vector<NamedTensor>& weights() const { return weights_; }
  const std::vector<NamedTensor>& buffers() const { return buffers_; }
  at::TensorOptions options() const { return options_; }

 private:
  at::TensorOptions options_;
  std::vector<NamedTensor> weights_, buffers_;
};

// All weights in one array, and all gradients in another: optimiser, clipping, averaging over ranks and checkpoints
// each become one operation. Slices begin at multiples of 64 bytes. Numbers between slices stay zero.
class FlatWeights {
 public:
  explicit FlatWeights(const Parameters& parameters);
  // Only weights `which`.
  FlatWeights(const Parameters& parameters, const std::vector<std::size_t>& which);

  at::Tensor values, gradients;  // [size]

  // Of weight i, or of which[i].
  at::Tensor slice(const at::Tensor& flat, std::size_t i) const;

 private:
  struct Place {
    std::int64_t begin, size;
    std::vector<std::int64_t> shape;
  };
  std::vector<Place> places_;
};

}  // namespace zoe::train
