// SPDX-License-Identifier: MIT
// Part of Zoetrope. Repairs what other viewers tolerate: skin weights and keys that are no finite
// numbers. The caller counts the repairs in a warning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zoe/character/mesh.h"

namespace zoe::io::gltf {

// What was wrong with the skin weights of one mesh.
struct WeightFaults {
  std::size_t not_finite = 0;          // Vertices with an infinite weight or NaN.
  std::size_t far_from_one = 0;        // Vertices whose weights were normalised by more than rounding.
  std::size_t num_unbound = 0;         // Vertices without any weight; they have joint 0 so far.
  std::vector<std::uint32_t> unbound;  // Their numbers; at most kMaxUnbound.

  static constexpr std::size_t kMaxUnbound = 1024;
  void add_unbound(std::size_t vertex) {
    if (num_unbound++ < kMaxUnbound) unbound.push_back(static_cast<std::uint32_t>(vertex));
  }
};

// A few unbound vertices take the influences of the nearest bound vertex. False, with nothing changed,
// when they are too many (a part of the mesh is unbound on purpose) or no vertex is bound.
bool bind_to_nearest(const WeightFaults& faults, Mesh& mesh);

// Keys of one track: `width` numbers, or three times as many with the tangents of a cubic spline.
struct KeyShape {
  std::size_t width = 3;
  bool cubic = false;
  bool rotation = false;  // Four numbers; all zeros are no rotation.
};
// Whether repair_keys() would change something.
bool has_bad_keys(std::span<const float> values, KeyShape shape);
// Replaces bad keys by interpolation between their neighbours, at the ends by the nearest good key, and bad tangents by
// zero. Returns the number of bad ones; nothing where no key is good.
std::optional<std::size_t> repair_keys(std::span<float> values, KeyShape shape);

}  // namespace zoe::io::gltf
