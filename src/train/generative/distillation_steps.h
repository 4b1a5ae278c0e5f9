// SPDX-License-Identifier: MIT
// Part of Zoetrope. The steps of a student that a batch is trained on.
#pragma once

#include "train/torch.h"

namespace zoe::train {

// Levels at which a batch of steps begins, and where they end: [batch].
struct DistillationSteps {
  at::Tensor from, to;
};
// levels: those of the student, from noise to data. Training takes steps at random; validation all in turn.
inline DistillationSteps distillation_steps(const at::Tensor& levels, std::int64_t batch, bool training) {
  const auto options = levels.options();
  const std::int64_t count = levels.size(0) - 1;
  const at::Tensor number =
      training ? at::randint(0, count, {batch}, options) : at::remainder(at::arange(batch, options), count);
  return {levels.index_select(0, number), levels.index_select(0, number + 1)};
}

}  // namespace zoe::train
