// SPDX-License-Identifier: MIT
// Part of Zoetrope. A triangle of the ground.
#pragma once

#include "zoe/math/vec.h"

namespace zoe {

struct GroundTriangle {
  Vec3 a, b, c;
};

}  // namespace zoe
