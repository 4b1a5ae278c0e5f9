// SPDX-License-Identifier: MIT
// Part of Zoetrope. 16-bit floats: IEEE 754 binary16 ("half") and bfloat16, converted to and from float.
#pragma once

#include <bit>
#include <cstdint>

namespace zoe {

// Exact; infinities, NaN and subnormals included.
inline float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) {  // Infinity or NaN: keep the payload.
    return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  }
  // Shifted into a float's fields the exponent is 112 too small. The multiplication corrects it, subnormals included.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | sign);
}

// Rounds to nearest, ties to even; beyond 65504 becomes infinity.
inline std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);   // NaN.
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // Rounds to 65536 or more.
  if (magnitude < 0x38800000u) {
    // Below the least normal half: adding 0.5 puts the last bit of the sum at 2^-24, the step of half's subnormals.
    const float sum = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(sum) - 0x3f000000u));
  }
  const std::uint32_t odd = magnitude >> 13 & 1u;
  return static_cast<std::uint16_t>(sign | (magnitude - 0x38000000u + 0xfffu + odd) >> 13);
}

inline float bfloat16_to_float(std::uint16_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

// Rounds to nearest, ties to even.
inline std::uint16_t float_to_bfloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);  // NaN stays NaN.
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace zoe
