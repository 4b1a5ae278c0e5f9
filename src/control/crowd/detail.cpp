// SPDX-License-Identifier: MIT
#include "zoe/control/crowd/detail.h"

#include <algorithm>

#include "zoe/core/check.h"

namespace zoe::control {

DetailLevels::DetailLevels(std::size_t num_characters)
    : levels_(num_characters, 1), by_distance_(num_characters, 1), squared_m_(num_characters), order_(num_characters) {}

void DetailLevels::describe(StateArchive& archive) {
  for (std::uint8_t& level : levels_) archive.number(level, 1, 3);
  for (std::uint8_t& level : by_distance_) archive.number(level, 1, 3);
}

void DetailLevels::update(std::span<const Vec3> positions, const DetailOptions& options) noexcept {
  ZOE_CHECK(positions.size() == levels_.size(), "DetailLevels: made for another number of characters");
  const float borders_m[] = {options.half_from_m, options.third_from_m};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec3 off = positions[i] - options.eye;
    squared_m_[i] = dot(off, off);
    std::uint8_t level = 1;
    for (std::uint8_t b = 0; b < 2; ++b) {
      // Hysteresis: a character on the border does not switch back and forth.
      const float border = borders_m[b] * (by_distance_[i] > b + 1 ? 1 - options.slack : 1.0F);
      if (squared_m_[i] >= border * border) level = static_cast<std::uint8_t>(b + 2);
    }
    levels_[i] = by_distance_[i] = level;
  }
  keep_nearest(1, options.max_full);
  keep_nearest(2, options.max_half);
}

void DetailLevels::keep_nearest(std::uint8_t level, int most) noexcept {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < levels_.size(); ++i) {
    if (levels_[i] == level) order_[count++] = i;
  }
  const auto kept = static_cast<std::size_t>(std::max(most, 0));
  if (count <= kept) return;
  const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
    return squared_m_[a] != squared_m_[b] ? squared_m_[a] < squared_m_[b] : a < b;
  };
  const auto begin = order_.begin(), middle = begin + static_cast<std::ptrdiff_t>(kept),
             end = begin + static_cast<std::ptrdiff_t>(count);
  std::nth_element(begin, middle, end, nearer);
  for (auto at = middle; at != end; ++at) levels_[*at] = static_cast<std::uint8_t>(level + 1);
}

}  // namespace zoe::control
