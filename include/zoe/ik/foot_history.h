// SPDX-License-Identifier: MIT
// Part of Zoetrope. The last motion of a leg's ankle and ball as a row of numbers: the input of networks that decide
// whether a foot holds (control/learned_feet.h). No number depends on the body's size, on where it is, or on its
// heading.
#pragma once

#include <array>
#include <span>

#include "zoe/math/vec.h"

namespace zoe {

constexpr int kFootFrames = 10;  // Of the window, 1/60 s each, the last one first.
constexpr int kFootNumbers = 6;  // Per frame.
constexpr int kFootRowWidth = kFootFrames * kFootNumbers;
constexpr double kFootRateHz = 60;

struct FootPoints {
  Vec3 ankle, ball;                       // World space, metres. Without a ball both are the ankle.
  float ankle_low_m = 0, ball_low_m = 0;  // Heights above those at which they stand on the ground below them.
  float leg_m = 1;                        // Length of the leg.
};

class FootHistory {
 public:
  void restart() { started_ = false; }
  // dt_s: since the call before.
  void add(const FootPoints& points, float dt_s);
  // Per frame: heights of ankle and ball in leg lengths; horizontal and vertical speeds of ankle and ball by
  // sqrt(g × leg length). out: [kFootRowWidth].
  void write(std::span<float> out) const;

 private:
  using Frame = std::array<float, kFootNumbers>;
  std::array<Frame, kFootFrames> frames_{};  // The last first.
  FootPoints before_;
  bool started_ = false;
};

}  // namespace zoe
