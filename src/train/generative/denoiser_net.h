// SPDX-License-Identifier: MIT
// Part of Zoetrope. The network of diffusion and flow models: from x, time and an optional condition to a prediction in
// the shape of x. Vectors use residual linear layers, sequences a transformer.
#pragma once

#include <optional>

#include "train/sequence_blocks.h"

namespace zoe::train {

struct DenoiserSizes {
  int steps = 1, width = 0;    // Of x.
  std::int64_t condition = 0;  // Numbers; 0: none.
  std::int64_t hidden = 128, blocks = 3, heads = 4;
  bool transformer = false;
};

struct DenoiserNet {
  DenoiserNet(Parameters& parameters, const DenoiserSizes& sizes);

  // x [batch, steps, width], time [batch, 1] from 0 to 1. condition [batch, numbers] and guided [batch, 1] (1 or 0: the
  // condition is dropped) only where sizes.condition > 0.
  at::Tensor operator()(const at::Tensor& x, const at::Tensor& time, const at::Tensor& condition,
                        const at::Tensor& guided) const;
  int build(GraphBuilder& builder, int x, int time, int condition, int guided) const;

  DenoiserSizes sizes;
  at::Tensor rates, phases;  // [waves] Fixed sines and cosines of time.
  Linear time_1, time_2;
  std::optional<Linear> condition_in;
  Linear in, out;
  struct Residual {
    Linear first, shift, second;
  };
  std::vector<Residual> residuals;       // Vectors.
  at::Tensor position;                   // [steps, hidden] Sequences.
  std::vector<TransformerBlock> blocks;  // Sequences.
  std::optional<LayerNorm> norm;         // Sequences.
};

}  // namespace zoe::train
