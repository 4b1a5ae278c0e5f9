// SPDX-License-Identifier: MIT
// How far a clip travels over the ground in one round, so that the next round goes on where the
// last one ended.
#pragma once

#include <cstdint>

#include "zoe/motion/motion.h"

namespace zoe::scene {

// A turn about +Y and a way on the ground, in model space.
struct GroundMove {
  float yaw_rad = 0;
  Vec3 way;  // y is 0.
};
GroundMove operator*(const GroundMove& a, const GroundMove& b);  // b first.
GroundMove inverse(const GroundMove& move);
GroundMove power(const GroundMove& move, std::int64_t exponent);
Affine to_affine(const GroundMove& move);

class LoopTravel {
 public:
  LoopTravel() = default;
  // Found on the first joint that moves below joints that do not: the hips of a file, under
  // whatever nodes it has there.
  explicit LoopTravel(const Motion& motion);

  const GroundMove& round() const { return round_; }
  // Moves a pose of the clip by so many rounds.
  void apply(std::int64_t rounds, Pose& pose) const;

 private:
  int joint_ = kNoJoint;
  Affine model_from_parent_;
  GroundMove round_;
};

}  // namespace zoe::scene
