// SPDX-License-Identifier: MIT
// Part of Zoetrope. Numbers in FBX bytes, of either byte order and any alignment.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace zoe::io::fbx {

template <std::size_t kSize>
using UnsignedOf = std::conditional_t<
    kSize == 8, std::uint64_t,
    std::conditional_t<kSize == 4, std::uint32_t, std::conditional_t<kSize == 2, std::uint16_t, std::uint8_t>>>;

template <bool kBigEndian, typename T>
inline T load(const char* at) {
  UnsignedOf<sizeof(T)> bits;
  std::memcpy(&bits, at, sizeof(T));
  if constexpr (sizeof(T) > 1 && kBigEndian != (std::endian::native == std::endian::big)) {
    if constexpr (sizeof(T) == 2) bits = __builtin_bswap16(bits);
    if constexpr (sizeof(T) == 4) bits = __builtin_bswap32(bits);
    if constexpr (sizeof(T) == 8) bits = __builtin_bswap64(bits);
  }
  return std::bit_cast<T>(bits);
}

// Bytes of one element of a binary array property; 0: no such array type.
constexpr std::size_t array_element_size(char code) {
  switch (code) {
    case 'b':
    case 'c':
      return 1;
    case 'i':
    case 'f':
      return 4;
    case 'l':
    case 'd':
      return 8;
    default:
      return 0;
  }
}

}  // namespace zoe::io::fbx
