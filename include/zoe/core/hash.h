// SPDX-License-Identifier: MIT
// Part of Zoetrope. A 128-bit content hash that identifies files and settings. Against accidents, not attacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace zoe {

struct Hash128 {
  std::uint64_t low = 0, high = 0;

  std::string hex() const;  // 32 digits.
  // Evenly spread over [0, 1), from 53 of the bits.
  double unit() const { return static_cast<double>(low >> 11) * 0x1p-53; }

  friend bool operator==(const Hash128&, const Hash128&) = default;
};

// MurmurHash3 x64 128 (Appleby, public domain): the same on every platform, several GB/s.
Hash128 hash_bytes(std::span<const std::byte> bytes, std::uint32_t seed = 0);
Hash128 hash_text(std::string_view text, std::uint32_t seed = 0);

// A hash of several items. Each is added with its length, so that ("ab", "c") and ("a", "bc") differ.
class HashBuilder {
 public:
  HashBuilder& add(std::string_view text);
  HashBuilder& add(const Hash128& hash);
  HashBuilder& add(std::int64_t value);
  HashBuilder& add(double value);  // By its bits.
  Hash128 finish() const;

 private:
  std::string bytes_;
};

}  // namespace zoe
