// SPDX-License-Identifier: MIT
// Part of Zoetrope. A box in a simulated world.
#pragma once

#include "zoe/math/vec.h"

namespace zoe::physics {

struct Prop {
  Vec3d half_size_m{0.25, 0.25, 0.25};
  Vec3d position_m;     // Of its centre, world space.
  double yaw_rad = 0;   // About +Y.
  double mass_kg = 10;  // 0: it never moves.
};

}  // namespace zoe::physics
