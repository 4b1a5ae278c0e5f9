// SPDX-License-Identifier: MIT
// A ray, as input of the ground's shapes.
#pragma once

#include "zoe/math/vec.h"

namespace zoe::ground {

struct Ray {
  Vec3d origin;
  Vec3d direction;            // Unit.
  double max_distance_m = 0;  // Not negative; may be infinite.

  Vec3d at(double distance_m) const { return origin + direction * distance_m; }
};

struct SurfaceHit {
  double distance_m = 0;
  Vec3 normal;  // Unit, either side.
};

}  // namespace zoe::ground
