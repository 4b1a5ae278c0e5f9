// SPDX-License-Identifier: MIT
#include "train/adam_kernel.h"

#include <cmath>

namespace zoe::train {
namespace {

// The compiler vectorises this (built with -fno-math-errno). One copy for each instruction set, selected at load time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
void update(const AdamStep& step, std::size_t begin, std::size_t end) {
  float* __restrict weights = step.weights;
  const float* __restrict gradients = step.gradients;
  float* __restrict means = step.means;
  float* __restrict squares = step.squares;
  const AdamStep s = step;
  for (std::size_t i = begin; i < end; ++i) {
    const float g = gradients[i] * s.gradient_scale;
    const float mean = means[i] + (g - means[i]) * (1 - s.beta1);
    const float square = squares[i] * s.beta2 + g * g * (1 - s.beta2);
    means[i] = mean;
    squares[i] = square;
    weights[i] = weights[i] * s.keep - s.rate * mean / (std::sqrt(square * s.square_scale) + s.epsilon);
  }
  if (s.averages == nullptr) return;
  float* __restrict averages = s.averages;
  for (std::size_t i = begin; i < end; ++i) averages[i] += (weights[i] - averages[i]) * (1 - s.ema);
}

}  // namespace

void AdamStep::run(std::size_t begin, std::size_t end) const noexcept {
  constexpr std::size_t kBlock = 4096;  // Weights are still in the cache when their averages are updated.
  for (; begin < end; begin += kBlock) update(*this, begin, begin + kBlock < end ? begin + kBlock : end);
}

}  // namespace zoe::train
