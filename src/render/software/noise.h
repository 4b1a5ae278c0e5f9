// SPDX-License-Identifier: MIT
// Smooth random fields for paper, pigment and strokes: value noise of hashed lattice points. Only integer and basic
// float arithmetic: the same bits on every machine.
#pragma once

#include <cstdint>

#include "zoe/math/vec.h"

namespace zoe::render {

inline std::uint32_t hash_lattice(std::int32_t x, std::int32_t y, std::int32_t z) {
  std::uint32_t h = static_cast<std::uint32_t>(x) * 0x8da6b343U ^ static_cast<std::uint32_t>(y) * 0xd8163841U ^
                    static_cast<std::uint32_t>(z) * 0xcb1ab31fU;
  h ^= h >> 15;
  h *= 0x2c1b3c6dU;
  h ^= h >> 12;
  h *= 0x297a2d39U;
  return h ^ h >> 15;
}

inline std::int32_t floor_to_int(float value) {
  const auto whole = static_cast<std::int32_t>(value);
  return whole - (static_cast<float>(whole) > value ? 1 : 0);
}

// 0 to 1, mean 0.5. Features have the size of one unit. |coordinates| < 2^30.
inline float noise(Vec3 p) {
  const std::int32_t x = floor_to_int(p.x), y = floor_to_int(p.y), z = floor_to_int(p.z);
  const auto ease = [](float t) { return t * t * (3 - 2 * t); };
  const float u = ease(p.x - static_cast<float>(x)), v = ease(p.y - static_cast<float>(y)),
              w = ease(p.z - static_cast<float>(z));
  const auto at = [&](std::int32_t i, std::int32_t j, std::int32_t k) {
    return static_cast<float>(hash_lattice(x + i, y + j, z + k) >> 8) * (1.0F / 16777215.0F);
  };
  const auto mix = [](float a, float b, float t) { return a + (b - a) * t; };
  const float near = mix(mix(at(0, 0, 0), at(1, 0, 0), u), mix(at(0, 1, 0), at(1, 1, 0), u), v);
  const float far = mix(mix(at(0, 0, 1), at(1, 0, 1), u), mix(at(0, 1, 1), at(1, 1, 1), u), v);
  return mix(near, far, w);
}

// Three octaves.
inline float layered_noise(Vec3 p) {
  return noise(p) * 0.55F + noise(p * 2.03F + Vec3{17, 5, 31}) * 0.3F + noise(p * 4.1F + Vec3{3, 41, 7}) * 0.15F;
}

}  // namespace zoe::render
