// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which joints mirror each other.
#pragma once

#include <utility>
#include <vector>

#include "anatomy/body.h"

namespace zoe::anatomy {

struct Symmetry {
  Vec3 normal{1, 0, 0};      // Of the mirror plane; its sign means nothing yet.
  Vec3 point{};              // On the plane.
  double score = 0;          // Share of joints with a joint at their mirrored place.
  std::vector<int> partner;  // [joints] kNoJoint: in the middle, or without an equal.
  int num_by_names = 0, num_by_geometry = 0;
};

// Chooses the most symmetric of the poses for `body`, and pairs joints in it: by names where they
// tell, else by shape.
Symmetry find_symmetry(Body& body, std::vector<PosedBody> poses);

}  // namespace zoe::anatomy
