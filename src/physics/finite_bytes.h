// SPDX-License-Identifier: MIT
// Part of Zoetrope. Saved numbers that are checked before they are used.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>

namespace zoe::physics {

template <typename T>
bool all_finite_in(std::span<const std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    if (!std::isfinite(value)) return false;
  }
  return true;
}

}  // namespace zoe::physics
