// SPDX-License-Identifier: MIT
// Part of Zoetrope. One length for a body of any shape: distances of poses are fractions of it.
#pragma once

#include <algorithm>

#include "zoe/anatomy/analysis.h"

namespace zoe::generate {

// The largest side of the reference pose's box, or the height, metres; at least 1 cm.
inline double body_size_m(const SkeletonAnalysis& analysis) {
  double size = std::max(0.01, analysis.height_m);
  if (analysis.reference_positions.empty()) return size;
  Vec3 low = analysis.reference_positions[0], high = low;
  for (const Vec3& p : analysis.reference_positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const double side = double{std::max({high.x - low.x, high.y - low.y, high.z - low.z})} * analysis.metres_per_unit;
  return std::clamp(side, size, 20 * size);
}

}  // namespace zoe::generate
