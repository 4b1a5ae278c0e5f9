// SPDX-License-Identifier: MIT
// Part of Zoetrope. Forward kinematics of poses by role (zoe/style/features.h) in torch, level by level of the
// hierarchy.
#pragma once

#include <vector>

#include "zoe/core/result.h"

#include "train/torch.h"

namespace zoe::train {

class RoleChain {
 public:
  // above: [roles] role above each, plus one; 0: none, the first only. offsets: [3 roles] from the role above. Empty:
  // rows are no poses.
  static Result<RoleChain> create(const std::vector<std::int64_t>& above, const std::vector<double>& offsets, int width,
                                  const at::TensorOptions& options);

  bool empty() const { return levels_.empty(); }
  // y [batch, steps, width], in the data's units, whose first columns are six for each role -> positions
  // [batch, steps, roles, 3] relative to the first role.
  at::Tensor positions(const at::Tensor& y) const;
  // Horizontal speed [batch, steps - 1, joints] of some roles over the ground. Columns after the rotations: height,
  // speed across and along, turning speed.
  at::Tensor ground_speeds(const at::Tensor& y, const at::Tensor& positions, const at::Tensor& which, double fps) const;
  // How much the paths of the roles `which` differ from the source's in timing and size, 0 to about 2 a window: each
  // path about its mean, up and along, must correlate by `correlation` and have a third of the source's size. Larger
  // and smaller steps of a style cost nothing. Roles that hardly move in the source do not count.
  static at::Tensor timing_error(const at::Tensor& made, const at::Tensor& source, const at::Tensor& which,
                                 double correlation);

 private:
  struct Level {
    at::Tensor roles, parents;  // Index of each role, and of its parent within the level before.
    at::Tensor offsets;         // [roles of the level, 3, 1]
  };
  std::int64_t roles_ = 0;
  std::vector<Level> levels_;
  at::Tensor order_;  // Position in the levels, one after the other, of each role.
};

}  // namespace zoe::train
