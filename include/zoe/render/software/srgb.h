// SPDX-License-Identifier: MIT
// Part of Zoetrope. sRGB and linear light by tables that are computed with basic arithmetic alone: the same bytes on
// every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace zoe::render {

struct SrgbTables {
  std::array<float, 256> linear{};        // Of a byte.
  std::array<std::uint8_t, 4096> byte{};  // Of linear light, in steps of 1/4095.
};
const SrgbTables& srgb_tables();

inline float linear_from_srgb(std::uint8_t value) { return srgb_tables().linear[value]; }
inline std::uint8_t srgb_from_linear(float value) {
  return srgb_tables().byte[static_cast<std::size_t>(std::clamp(value, 0.0F, 1.0F) * 4095.0F + 0.5F)];
}

}  // namespace zoe::render
