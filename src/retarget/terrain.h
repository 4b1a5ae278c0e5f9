// SPDX-License-Identifier: MIT
// Part of Zoetrope. The uneven ground below the target: how far each foot and the body rise on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/ground/ground.h"

#include "retarget/body.h"

namespace zoe::retarget_detail {

// A ground as the target's model sees it: in its unit, along its `up`. Both must outlive it.
class Terrain {
 public:
  // ground: may be null, then flat at the body's own ground.
  Terrain(const Ground* ground, const RetargetBody& body);

  Vec3 up() const { return body_->analysis.up; }
  bool is_flat() const { return ground_ == nullptr; }
  float rise(Vec3 p) const;                                       // Above the body's own flat ground.
  float height(Vec3 p) const { return body_->ground + rise(p); }  // In the model.
  Vec3 normal(Vec3 p) const;                                      // Unit, in the model.

 private:
  Vec3 in_world(Vec3 p) const;

  const Ground* ground_;
  const RetargetBody* body_;
  Quat world_from_model_;
  float metres_per_unit_;
};

// One foot over a clip.
struct FootRise {
  std::vector<float> rise;  // [frames] height of the ground for it.
  std::vector<Quat> tilt;   // [frames] of the sole, in the model.
};

// `soles`: [frames] where a foot goes on flat ground, the point that stands on it. In contact it has the plane of the
// ground below it; between two contacts it goes from one plane to the other, and over what is higher.
FootRise rise_of_foot(const Terrain& terrain, std::span<const Vec3> soles, std::span<const std::uint8_t> stands);

// Turns the hips by `turns` about `pivots` and moves them by `moves`, [frames], all in the model, with all they carry.
// joint: that carries the body.
void pitch_body(Motion& motion, int joint, std::span<const Quat> turns, std::span<const Vec3> pivots,
                std::span<const Vec3> moves);

// Turns one joint by `turns`, [frames] in the model.
void turn_joint(Motion& motion, int joint, std::span<const Quat> turns);

}  // namespace zoe::retarget_detail
