// SPDX-License-Identifier: MIT
// Moving bones in torch: the rows and the view of zoe/motion/bone_rows.h with gradients, and one tick of time.
#pragma once

#include "train/torch.h"

namespace zoe::train {

struct SimulatedBones {
  at::Tensor position;  // [batch, bones, 3] metres, world.
  at::Tensor axes;      // [batch, bones, 2, 3] x and y axis of the rotation.
  at::Tensor velocity;  // [batch, bones, 3]
  at::Tensor spin;      // [batch, bones, 3] rad/s, world.

  // row: [batch, kBoneRowWidth × bones].
  static SimulatedBones from_row(const at::Tensor& row);
  // [batch, bones, 3, 3]: columns are the axes.
  at::Tensor rotation() const;
  at::Tensor root_rotation() const;  // [batch, 3, 3]
};

// As write_bone_view(): [batch, bone_view_width(bones)].
at::Tensor view_bones(const SimulatedBones& body, const SimulatedBones& target);

// change: [batch, 6 × bones], of velocity and spin in the root's frame, as write_bone_change(). Positions and rotations
// follow by the mean of the velocities before and after.
SimulatedBones advance(const SimulatedBones& body, const at::Tensor& change, double dt_s);

}  // namespace zoe::train
