// SPDX-License-Identifier: MIT
// Part of Zoetrope. The offset of a foot from that of another body, over a whole clip.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::retarget_detail {

// The desired offset of one foot from the source's, and the cost of changing it; horizontal, any unit.
struct FootShift {
  std::vector<Vec3> wanted;  // [frames] desired by the hips and soles of the two bodies.
  // [frames] the excess of this foot's motion over the ground since the frame before, with a constant offset: feet of
  // another length roll about other points.
  std::vector<Vec3> excess;
  // [frames] cost of motion over the ground that the source's foot does not make, since the frame before. The cost of
  // an equal deviation is 1.
  std::vector<float> hold;
};

// [frames] the track x that minimises Σ |x - wanted|² + Σ hold |Δx + excess|²: one value over each contact, as near to
// the desired one as possible, and the desired one in the air.
std::vector<Vec3> solve_shift(const FootShift& shift);

// [frames] the cost, from the motion of the source's foot. `ways`: [frames] displacement of the part that carries it,
// since the frame before; `heights`: [frames] above the contact height. Both in leg lengths. A foot in contact is held.
// A stepping foot is not, even if low, because sliding is visible relative to the foot's own speed.
std::vector<float> hold_prices(std::span<const float> ways, std::span<const std::uint8_t> stands, double fps);

}  // namespace zoe::retarget_detail
