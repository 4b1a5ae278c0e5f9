// SPDX-License-Identifier: MIT
// Part of Zoetrope. Pictures and poses as patches (zoe/paint/patches.h), for a batch with tensors.
#pragma once

#include "train/paint/bones.h"

namespace zoe::train {

// Constant tensors for one size of pictures; they stay on the device.
class PatchReader {
 public:
  PatchReader(std::int64_t size, const at::TensorOptions& options);
  std::int64_t num_patches() const { return x_.size(0); }

  // [n, paint::kPoseSize] -> [n, patches, paint::kPatchFeatures]
  at::Tensor describe(const at::Tensor& poses) const;
  // Index and coverage [n, pixels, 2] (long) and palettes [n, colours, 3] of 0 to 255 -> [n, patches,
  // paint::kPatchNumbers]
  at::Tensor patches(const at::Tensor& pairs, const at::Tensor& palette) const;
  // The pixels of patches line by line: [batch, frames × patches, paint::kPatchNumbers] -> [batch × frames, pixels, 4]
  at::Tensor pixels(const at::Tensor& patches) const;

 private:
  std::int64_t size_;
  BoneReader bones_of_;
  at::Tensor x_, y_;  // [patches] middles.
  at::Tensor waves_;  // [patches, 4 × kPlaceWaves]
};

}  // namespace zoe::train
