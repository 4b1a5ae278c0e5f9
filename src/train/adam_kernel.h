// SPDX-License-Identifier: MIT
// Part of Zoetrope. One step of AdamW over plain arrays, in a single pass: it is limited by memory on a CPU.
#pragma once

#include <cstddef>

namespace zoe::train {

struct AdamStep {
  float* weights = nullptr;
  const float* gradients = nullptr;
  float* means = nullptr;     // First moment.
  float* squares = nullptr;   // Second moment.
  float* averages = nullptr;  // EMA of the weights; null: none.
  float gradient_scale = 1;   // Clipping.
  float beta1 = 0.9F, beta2 = 0.999F, epsilon = 1e-8F;
  float rate = 0;          // Already divided by 1 - beta1^t.
  float square_scale = 1;  // 1 / (1 - beta2^t).
  float keep = 1;          // 1 - decay.
  float ema = 0;

  // Elements [begin, end). The result does not depend on how the range is divided.
  void run(std::size_t begin, std::size_t end) const noexcept;
};

}  // namespace zoe::train
