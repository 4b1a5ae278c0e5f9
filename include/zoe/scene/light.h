// SPDX-License-Identifier: MIT
// Part of Zoetrope. A light at an entity's position, shining along its -Z (as in glTF) unless it shines in all
// directions.
#pragma once

#include <cstdint>

#include "zoe/math/vec.h"

namespace zoe::scene {

struct Light {
  enum class Kind : std::uint8_t { kSun, kPoint, kSpot };
  Kind kind = Kind::kPoint;
  Vec3 color{1, 1, 1};  // Linear, times intensity.
  float intensity = 1;
  float range_m = 5;             // kPoint, kSpot: no light beyond.
  float inner_angle_rad = 0.3F;  // kSpot: half angles where the light begins to fade and where it ends.
  float outer_angle_rad = 0.5F;
};

}  // namespace zoe::scene
