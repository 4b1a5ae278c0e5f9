// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a painter reads (zoe/paint/features.h), computed for a batch with tensors.
#pragma once

#include "train/paint/bones.h"

namespace zoe::train {

struct CarryInputs {
  at::Tensor reference;       // [batch, pixels] indices, whole numbers of type long.
  at::Tensor palette;         // [batch, colours, 3], 0 to 255.
  at::Tensor num_colors;      // [batch]
  at::Tensor target_pose;     // [batch, paint::kPoseSize]
  at::Tensor reference_pose;  // The same.
  at::Tensor guess;           // [batch, pixels, 2] index and coverage, long.
};

struct Carried {
  at::Tensor features;  // [batch, pixels, paint::kNumFeatures]
  at::Tensor colors;    // [batch, colours, paint::kColorFeatures]
  at::Tensor indices;   // [batch, layers, pixels], long.
  at::Tensor layers;    // [batch, layers], true where both poses have the bone.
  at::Tensor heat;      // [batch, layers, pixels]
  // Of the guess and its neighbours (paint::kGuessSteps), [batch, guesses, pixels]: index, long, and coverage, 0 to 1.
  at::Tensor guess_indices, guess_coverage;
};

// Constant tensors for one size of pictures; they stay on the device.
class Carrier {
 public:
  Carrier(std::int64_t size, const at::TensorOptions& options);
  Carried operator()(const CarryInputs& in) const;

 private:
  at::Tensor distances(const Bones& bones, at::Tensor* depth) const;

  std::int64_t size_;
  BoneReader bones_of_;
  at::Tensor x_, y_;  // [pixels] middles.
  at::Tensor bias_;   // [layers]
};

}  // namespace zoe::train
