// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bones of poses as tensors: zoe/paint/pose.h for a batch.
#pragma once

#include "train/torch.h"

namespace zoe::train {

struct Bones {
  at::Tensor x0, y0, x1, y1, depth0, depth1;  // [batch, layers]
  at::Tensor known;                           // [batch, layers] 0 or 1.
};

// Constant tensors; they stay on the device.
class BoneReader {
 public:
  explicit BoneReader(const at::TensorOptions& options);
  // pose: [batch, paint::kPoseSize]
  Bones operator()(const at::Tensor& pose) const;

 private:
  at::Tensor from_, to_;    // [layers] joints.
  at::Tensor first_layer_;  // [1, layers] true for the trunk.
};

// Towards points x, y [points] from bones: [batch, layers, points].
struct NearestPoints {
  at::Tensor fraction;  // Along the bone, 0 to 1.
  at::Tensor dx, dy;    // From the point to the bone's nearest one.
};
NearestPoints nearest_points(const Bones& bones, const at::Tensor& x, const at::Tensor& y);

}  // namespace zoe::train
