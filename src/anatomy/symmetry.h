// SPDX-License-Identifier: MIT
// Part of Zoetrope. Mirror symmetry of joints.
#pragma once

#include <utility>
#include <vector>

#include "anatomy/body.h"

namespace zoe::anatomy {

struct Symmetry {
  Vec3 normal{1, 0, 0};      // Of the mirror plane; its sign has no meaning yet.
  Vec3 point{};              // On the plane.
  double score = 0;          // Fraction of joints with a joint at their mirrored position.
  std::vector<int> partner;  // [joints] kNoJoint: in the middle, or without a partner.
  int num_by_names = 0, num_by_geometry = 0;
};

// Selects the most symmetric of the poses for `body`, and pairs joints in it: by names where they are clear, else by
// shape.
Symmetry find_symmetry(Body& body, std::vector<PosedBody> poses);

}  // namespace zoe::anatomy
