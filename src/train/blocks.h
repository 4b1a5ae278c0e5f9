// SPDX-License-Identifier: MIT
// Part of Zoetrope. Layers of models. Each computes in torch and builds the same into an nn graph. x is [batch, …,
// width] unless stated. build() adds the layer to a graph and returns its value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/nn/graph_builder.h"

#include "train/parameters.h"

namespace zoe::train {

using nn::Activation;
using nn::GraphBuilder;

Result<Activation> parse_activation(const std::string& name);
at::Tensor activate(const at::Tensor& x, Activation activation);

// A tensor's numbers for a graph.
std::vector<float> floats_of(const at::Tensor& tensor);
std::vector<std::size_t> dims_of(const at::Tensor& tensor);

// (x - mean) / spread by column. The statistics apply the floor of the spread.
struct Normaliser {
  Normaliser(Parameters& parameters, std::string name, std::span<const float> mean, std::span<const float> spread);
  at::Tensor apply(const at::Tensor& x) const { return (x - mean) / spread; }
  at::Tensor undo(const at::Tensor& x) const { return x * spread + mean; }
  int build_apply(GraphBuilder& builder, int x) const;
  int build_undo(GraphBuilder& builder, int x) const;

  std::string name;
  at::Tensor mean, spread;  // [width]
};

struct Linear {
  Linear(Parameters& parameters, std::string name, std::int64_t in, std::int64_t out);
  at::Tensor operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }
  // again: the graph already has this layer; its weights are shared.
  int build(GraphBuilder& builder, int x, Activation activation = Activation::kNone, bool again = false) const;

  std::string name;
  at::Tensor weight, bias;  // [out, in], [out]
};

// Dropout on the input of each layer, linear, activation on all but the last, as in the reference's blocks.
struct Mlp {
  Mlp(Parameters& parameters, const std::string& name, std::vector<std::int64_t> widths, Activation activation,
      double dropout = 0);
  at::Tensor operator()(at::Tensor x, bool training) const;
  int build(GraphBuilder& builder, int x, bool again = false) const;

  std::vector<Linear> layers;
  Activation activation;
  double dropout;
};

// From a code to a sequence: three linear layers. After the first two each hidden unit is scaled and shifted by linear
// functions of time (FiLM over time). x [batch, in] -> [batch, steps, out]. The first layer is computed once for all
// steps.
struct FilmMlp {
  FilmMlp(Parameters& parameters, const std::string& name, std::int64_t in, std::int64_t hidden, std::int64_t out,
          int steps);
  at::Tensor operator()(const at::Tensor& x) const;
  int build(GraphBuilder& builder, int x) const;

  struct Film {
    Film(Parameters& parameters, const std::string& name, std::int64_t width);
    at::Tensor scale(const at::Tensor& times) const { return at::linear(times, scale_weight, scale_bias); }
    at::Tensor shift(const at::Tensor& times) const { return at::linear(times, shift_weight, shift_bias); }
    at::Tensor scale_weight, scale_bias, shift_weight, shift_bias;  // [width, 1], [width]
  };

  std::string name;
  Linear first, second, third;
  Film film_1, film_2;
  at::Tensor times;  // [steps, 1], mean 0, deviation 1.
};

}  // namespace zoe::train
