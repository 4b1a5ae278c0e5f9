// SPDX-License-Identifier: MIT
// Travel of a clip over the ground in one cycle, so that the next cycle continues at the end of the last one.
#pragma once

#include <cstdint>

#include "zoe/motion/motion.h"

namespace zoe::scene {

// A rotation about +Y and a displacement on the ground, in model space.
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
  // Found on the first joint that moves below joints that do not: the hips of a file, below its static nodes.
  explicit LoopTravel(const Motion& motion);

  const GroundMove& round() const { return round_; }
  // Moves a pose of the clip by this number of cycles.
  void apply(std::int64_t rounds, Pose& pose) const;

 private:
  int joint_ = kNoJoint;
  Affine model_from_parent_;
  GroundMove round_;
};

}  // namespace zoe::scene
