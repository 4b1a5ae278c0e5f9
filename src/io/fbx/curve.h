// SPDX-License-Identifier: MIT
// Part of Zoetrope. Animation curves of FBX, and their values at any time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/fbx/curve_data.h"

namespace zoe::io::fbx {

// Evaluates one curve; cheap when called with times in ascending order, correct in any.
class CurveCursor {
 public:
  explicit CurveCursor(const Curve& curve) : curve_(&curve) {}

  // The curve's value; the curve must have at least one key.
  double evaluate(std::int64_t tick);

 private:
  double inside(std::int64_t tick);
  double outside(std::int64_t tick);
  void enter_segment(std::size_t key);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const Curve* curve_;
  std::size_t key_ = 0;           // End of the last call.
  std::size_t prepared_ = kNone;  // Segment [prepared_, prepared_ + 1] is in the members below.
  // The prepared segment: a cubic Bézier over normalised time, or a constant, or a line.
  std::uint32_t interpolation_ = 0;
  double seconds_ = 0;
  double x1_ = 0, x2_ = 0;
  double y_[4] = {};
};

// Parameter in [0, 1] at which the Bézier 0, x1, x2, 1 reaches x; x1, x2 and x in [0, 1].
double solve_bezier_time(double x1, double x2, double x);

}  // namespace zoe::io::fbx
