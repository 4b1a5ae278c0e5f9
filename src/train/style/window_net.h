// SPDX-License-Identifier: MIT
// Part of Zoetrope. A window of motion to one row: convolutions over time with stride 2, then mean and deviation over
// time. Style encoders, critics and judges are made of it.
#pragma once

#include "train/blocks.h"

namespace zoe::train {

struct WindowNet {
  WindowNet(Parameters& parameters, const std::string& name, std::int64_t in, std::int64_t channels, int layers,
            bool with_deviation);
  // x [batch, steps, in] -> [batch, width()]
  at::Tensor operator()(const at::Tensor& x) const;
  int build(GraphBuilder& builder, int x) const;
  std::int64_t width() const { return with_deviation ? 2 * channels : channels; }

  struct Layer {
    std::string name;
    at::Tensor weight, bias;  // [channels, in, 5], [channels]
  };
  std::string name;
  std::vector<Layer> convolutions;
  std::int64_t channels;
  bool with_deviation;
};

}  // namespace zoe::train
