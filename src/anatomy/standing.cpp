// SPDX-License-Identifier: MIT
#include "zoe/anatomy/standing.h"

#include <algorithm>
#include <vector>

#include "zoe/math/smooth_step.h"

namespace zoe::anatomy {

void carrying_weights(std::span<const float> heights, float near_ground, std::span<float> weights) {
  const float lowest = *std::min_element(heights.begin(), heights.end());
  float sum = 0;
  for (std::size_t p = 0; p < heights.size(); ++p) {
    weights[p] = 1 - smoother_step((heights[p] - lowest) / std::max(1e-9F, near_ground));
    sum += weights[p];
  }
  for (float& w : weights) w /= sum;
}

float standing_height(std::span<const Vec3> part, std::span<const std::uint8_t> touching, Vec3 up, float otherwise) {
  std::vector<float> heights;
  for (std::size_t f = 0; f < touching.size(); ++f)
    if (touching[f] != 0) heights.push_back(dot(part[f], up));
  if (heights.empty()) return otherwise;
  const auto quarter = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 4);
  std::nth_element(heights.begin(), quarter, heights.end());
  return *quarter;
}

}  // namespace zoe::anatomy
