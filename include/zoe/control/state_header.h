// SPDX-License-Identifier: MIT
// Part of Zoetrope. The first 32 bytes of a saved state or crowd: its type and its model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "zoe/core/result.h"

namespace zoe::control {

struct StateHeader {
  std::array<char, 4> magic{};
  std::uint32_t version = 0;
  std::array<char, 16> type{};  // Type of the controller, padded with zeros.
  std::uint64_t fingerprint = 0;

  static constexpr std::uint32_t kVersion = 5;
  static constexpr std::array<char, 4> kState{'Z', 'O', 'E', 'S'}, kCrowd{'Z', 'O', 'E', 'C'};

  static StateHeader of(const std::array<char, 4>& magic, std::string_view type, std::uint64_t fingerprint);
  std::string_view type_name() const;

  friend bool operator==(const StateHeader&, const StateHeader&) = default;
};
static_assert(sizeof(StateHeader) == 32, "no padding");

// Fails unless the bytes begin with this header and are num_bytes in total. The error says what they are instead.
Result<void> check_header(const StateHeader& expected, std::size_t num_bytes, std::span<const std::byte> bytes);

}  // namespace zoe::control
