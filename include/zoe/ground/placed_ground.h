// SPDX-License-Identifier: MIT
// Part of Zoetrope. A ground as seen from another space: turned about +Y, moved and scaled. A character's model works
// in a space of its own, in the units of its own body; the ground is in the world.
#pragma once

#include <cmath>

#include "zoe/ground/ground.h"
#include "zoe/math/portable.h"

namespace zoe {

class PlacedGround {
 public:
  PlacedGround() = default;  // Flat at zero.
  // The ground must outlive this; null: flat at zero. A point p of the space is at position + turn(p * scale) in the
  // world; `turn_rad` is about +Y, `scale` above zero.
  PlacedGround(const Ground* ground, Vec3 position, float turn_rad, float scale)
      : ground_(ground),
        position_(position),
        sine_(portable_sin(turn_rad)),
        cosine_(portable_cos(turn_rad)),
        scale_(scale) {}

  // In the space: its axes, its units.
  float height(float x, float z) const noexcept {
    if (ground_ == nullptr) return 0;
    const Vec3 world = to_world(x, z);
    return (ground_->height(world.x, world.z) - position_.y) / scale_;
  }
  Vec3 normal(float x, float z) const noexcept {
    if (ground_ == nullptr) return {0, 1, 0};
    const Vec3 world = to_world(x, z), n = ground_->normal(world.x, world.z);
    return {cosine_ * n.x - sine_ * n.z, n.y, sine_ * n.x + cosine_ * n.z};
  }

 private:
  Vec3 to_world(float x, float z) const noexcept {
    x *= scale_;
    z *= scale_;
    return {position_.x + cosine_ * x + sine_ * z, 0, position_.z - sine_ * x + cosine_ * z};
  }

  const Ground* ground_ = nullptr;
  Vec3 position_;
  float sine_ = 0, cosine_ = 1, scale_ = 1;
};

}  // namespace zoe
