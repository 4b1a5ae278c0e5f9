// SPDX-License-Identifier: MIT
// Part of Zoetrope. Squash and stretch: the body is longer along its path where it is fast, and lower where it lands
// or crouches to jump. Its volume is kept: the maps have determinant 1.
#pragma once

#include <array>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/math/affine.h"
#include "zoe/motion/motion.h"

namespace zoe::sprite {

class SquashTrack {
 public:
  SquashTrack() = default;
  // sprite_from_model: at time 0. travel: removed over the whole clip, sprite space. height: of the body, model units.
  SquashTrack(const Motion& motion, const SkeletonAnalysis& body, const Affine& sprite_from_model, Vec3 travel,
              float height, float amount, bool loop);

  bool empty() const { return moments_.empty(); }
  // A map of sprite space. raised: what was added to heights since the track was made.
  Affine at(double time_s, float raised) const;

 private:
  // Logarithm of the map: symmetric, without trace. xx yy zz xy xz yz.
  using Strain = std::array<float, 6>;
  struct Moment {
    Strain strain{};
    Vec3 anchor;  // Does not move: below the middle of the body, at its lowest foot.
  };
  double rate_hz_ = 120;
  std::vector<Moment> moments_;
};

// The exponential of a symmetric matrix without trace. Its determinant is 1.
Affine exponential(const std::array<float, 6>& strain);

}  // namespace zoe::sprite
