// SPDX-License-Identifier: MIT
// Part of Zoetrope. A loss on the sliding of feet. The root's step is three of hundreds of outputs, and feet are in the
// root's space: an error of the step that hardly counts among the others moves every foot over the ground.
#pragma once

#include "train/models.h"

namespace zoe::train {

// Compares how far feet in contact move over the ground in the step from x to y, predicted and true. Where x has errors
// (FedBackNoise) the foot should stay where x has it. Without this a model learns to pull feet back to where the data
// has them.
class FootSlide {
 public:
  static Result<FootSlide> create(const ModelSetup& setup);
  static void add_keys(ConfigSchema& schema);

  bool is_used() const { return weight_ > 0 && x_.defined(); }
  // In the data's units, [batch, columns of x or y]: x with errors, x, y predicted, y. In squared centimetres,
  // weighted.
  at::Tensor operator()(const at::Tensor& x_seen, const at::Tensor& x, const at::Tensor& y_predicted,
                        const at::Tensor& y) const;

 private:
  at::Tensor over_ground(const at::Tensor& y) const;  // [batch, feet, 2]: x and z in the root space of x.

  double weight_ = 0, step_s_ = 0;
  std::int64_t step_column_ = 0;
  at::Tensor x_, y_, contact_;  // [feet × 2], [feet × 2] columns of x and z; [feet].
};

}  // namespace zoe::train
