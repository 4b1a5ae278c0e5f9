// SPDX-License-Identifier: MIT
// Part of Zoetrope. Neighbour search: positions on the ground sorted into square cells.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::control {

class NeighbourGrid {
 public:
  // Allocates for max_places positions. Nothing below allocates.
  explicit NeighbourGrid(std::size_t max_places);

  // Sorts the positions by cell. They must be finite. y is ignored.
  void build(std::span<const Vec3> places, float cell_m) noexcept;

  // Calls visit(index, squared distance) for every position within range_m <= cell_m, in an order that depends on the
  // indices within a cell.
  template <typename Visit>
  void near(Vec3 place, float range_m, const Visit& visit) const {
    const std::int32_t x = cell_of(place.x), z = cell_of(place.z);
    for (std::int32_t dz = -1; dz <= 1; ++dz) {
      for (std::int32_t dx = -1; dx <= 1; ++dx) {
        const std::size_t bucket = bucket_of(x + dx, z + dz);
        for (std::uint32_t k = starts_[bucket]; k < starts_[bucket + 1]; ++k) {
          const Entry& entry = entries_[k];
          // Several cells may share a bucket.
          if (entry.x != x + dx || entry.z != z + dz) continue;
          const float off_x = entry.place.x - place.x, off_z = entry.place.z - place.z;
          const float squared = off_x * off_x + off_z * off_z;
          if (squared <= range_m * range_m) visit(entry.index, squared);
        }
      }
    }
  }

 private:
  struct Entry {
    Vec3 place;
    std::int32_t x = 0, z = 0;
    std::uint32_t index = 0;
  };
  // Positions beyond a million cells share the outermost ones.
  std::int32_t cell_of(float coordinate) const {
    const float cell = std::floor(coordinate / cell_m_);
    return static_cast<std::int32_t>(std::fmin(std::fmax(cell, -1e6F), 1e6F));
  }
  std::size_t bucket_of(std::int32_t x, std::int32_t z) const {
    const std::uint64_t mixed =
        static_cast<std::uint32_t>(x) * 0x9E3779B97F4A7C15U + static_cast<std::uint32_t>(z) * 0xC2B2AE3D27D4EB4FU;
    return static_cast<std::size_t>(mixed >> 40U) & mask_;
  }

  float cell_m_ = 1;
  std::size_t mask_ = 0;
  std::vector<std::uint32_t> starts_;  // [buckets + 1]
  std::vector<Entry> entries_;         // By bucket.
};

}  // namespace zoe::control
