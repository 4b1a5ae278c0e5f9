// SPDX-License-Identifier: MIT
// Part of Zoetrope. How low a posed body reaches: its skin, else its bones. So bodies lie on the ground, not in it.
#pragma once

#include <span>
#include <vector>

#include "zoe/author/alive.h"

namespace zoe::author {

class BodyHull {
 public:
  explicit BodyHull(const Alive& alive);
  // Height of the lowest point, of a pose in the root's space. without_limbs: legs, from their hips on, and tail are
  // skipped.
  float lowest_m(std::span<const Affine> model_from_joint, bool without_limbs) const;

 private:
  struct Point {
    int joint;
    Vec3 joint_space;
    bool is_limb;
  };
  std::vector<Point> points_;  // The farthest of each joint's skin, in 98 directions.
  bool has_trunk_ = false;
  float thickness_m_ = 0;  // Of flesh around bones that have no skin.
};

}  // namespace zoe::author
