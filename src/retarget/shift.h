// SPDX-License-Identifier: MIT
// Part of Zoetrope. The way a foot of one body keeps from that of another, over a whole clip.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::retarget_detail {

// What one foot shall be apart from where the source's is, and what it costs to change that; level,
// any unit.
struct FootShift {
  std::vector<Vec3> wanted;  // [frames] as hips and soles of the two bodies ask for.
  // [frames] by how much further than the source's this foot goes over the ground since the frame
  // before while the shift stays: feet of another length roll about other points.
  std::vector<Vec3> excess;
  std::vector<float> hold;  // [frames] price of a way over the ground that the source's foot does
                            // not go, since the frame before; that of being off by the same is 1.
};

// [frames] the track x of least Σ |x - wanted|² + Σ hold |Δx + excess|²: one value over each stand,
// as near to what is wanted as one can be, and what is wanted in the air.
std::vector<Vec3> solve_shift(const FootShift& shift);

// [frames] the price, from how a foot of the source moves. `ways`: [frames] of what carries it,
// since the frame before; `heights`: [frames] above where it stands. Both in leg lengths. A foot
// that stands is held; one that steps is not, however low, as it is the sliding relative to the
// foot's own speed that shows.
std::vector<float> hold_prices(std::span<const float> ways, std::span<const std::uint8_t> stands, double fps);

}  // namespace zoe::retarget_detail
