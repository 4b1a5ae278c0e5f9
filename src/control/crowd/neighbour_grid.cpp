// SPDX-License-Identifier: MIT
#include "zoe/control/crowd/neighbour_grid.h"

#include <algorithm>
#include <bit>

#include "zoe/core/check.h"

namespace zoe::control {

NeighbourGrid::NeighbourGrid(std::size_t max_places) {
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(2 * max_places, 16));
  ZOE_CHECK(buckets <= std::size_t{1} << 24U, "NeighbourGrid: at most eight million positions");
  mask_ = buckets - 1;
  starts_.resize(buckets + 1);
  entries_.resize(max_places);
}

void NeighbourGrid::build(std::span<const Vec3> places, float cell_m) noexcept {
  ZOE_CHECK(places.size() <= entries_.size() && cell_m > 0, "NeighbourGrid: more positions than allocated");
  cell_m_ = cell_m;
  std::fill(starts_.begin(), starts_.end(), 0U);
  // A counting sort from behind: buckets end at their start once all entries are in, and keep the order of indices.
  for (const Vec3& place : places) ++starts_[bucket_of(cell_of(place.x), cell_of(place.z))];
  std::uint32_t sum = 0;
  for (std::uint32_t& start : starts_) start = sum += start;
  for (std::size_t i = places.size(); i-- > 0;) {
    const std::int32_t x = cell_of(places[i].x), z = cell_of(places[i].z);
    entries_[--starts_[bucket_of(x, z)]] = {places[i], x, z, static_cast<std::uint32_t>(i)};
  }
}

}  // namespace zoe::control
