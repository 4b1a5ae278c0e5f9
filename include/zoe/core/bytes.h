// SPDX-License-Identifier: MIT
// Part of Zoetrope. Numbers in byte buffers: unaligned, of either byte order. We run on little-endian machines only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace zoe {

static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");

// The caller has checked that sizeof(T) bytes are available.
template <typename T>
T load_le(const std::byte* bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T>
T load_be(const std::byte* bytes) {
  std::array<std::byte, sizeof(T)> reversed;
  std::reverse_copy(bytes, bytes + sizeof(T), reversed.begin());
  return load_le<T>(reversed.data());
}

template <typename T>
void append_le(std::vector<std::byte>& out, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.resize(out.size() + sizeof(T));
  std::memcpy(out.data() + out.size() - sizeof(T), &value, sizeof(T));
}

// a * b; false when it overflows. For sizes that a file states.
inline bool multiply_fits(std::size_t a, std::size_t b, std::size_t& product) {
  return !__builtin_mul_overflow(a, b, &product);
}

}  // namespace zoe
