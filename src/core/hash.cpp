// SPDX-License-Identifier: MIT
#include "zoe/core/hash.h"

#include <bit>

#include <fmt/format.h>

#include "zoe/core/bytes.h"
#include "zoe/core/file.h"

namespace zoe {
namespace {

constexpr std::uint64_t kC1 = 0x87c37b91114253d5, kC2 = 0x4cf5ad432745937f;

std::uint64_t scramble_low(std::uint64_t k) { return std::rotl(k * kC1, 31) * kC2; }
std::uint64_t scramble_high(std::uint64_t k) { return std::rotl(k * kC2, 33) * kC1; }

std::uint64_t avalanche(std::uint64_t k) {
  k = (k ^ (k >> 33)) * 0xff51afd7ed558ccd;
  k = (k ^ (k >> 33)) * 0xc4ceb9fe1a85ec53;
  return k ^ (k >> 33);
}

// Up to 8 bytes, the first one lowest.
std::uint64_t tail_word(std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return word;
}

}  // namespace

std::string Hash128::hex() const { return fmt::format("{:016x}{:016x}", low, high); }

Hash128 hash_bytes(std::span<const std::byte> bytes, std::uint32_t seed) {
  std::uint64_t a = seed, b = seed;
  const std::size_t blocks = bytes.size() / 16;
  for (std::size_t i = 0; i < blocks; ++i) {
    a ^= scramble_low(load_le<std::uint64_t>(bytes.data() + 16 * i));
    a = (std::rotl(a, 27) + b) * 5 + 0x52dce729;
    b ^= scramble_high(load_le<std::uint64_t>(bytes.data() + 16 * i + 8));
    b = (std::rotl(b, 31) + a) * 5 + 0x38495ab5;
  }
  const std::span<const std::byte> tail = bytes.subspan(16 * blocks);
  if (tail.size() > 8) b ^= scramble_high(tail_word(tail.subspan(8)));
  a ^= scramble_low(tail_word(tail.first(tail.size() < 8 ? tail.size() : 8)));
  a ^= bytes.size();
  b ^= bytes.size();
  a += b;
  b += a;
  a = avalanche(a);
  b = avalanche(b);
  a += b;
  return {a, b + a};
}

Hash128 hash_text(std::string_view text, std::uint32_t seed) { return hash_bytes(as_bytes(text), seed); }

HashBuilder& HashBuilder::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  bytes_.append(text);
  return *this;
}
HashBuilder& HashBuilder::add(const Hash128& hash) {
  add(static_cast<std::int64_t>(hash.low));
  return add(static_cast<std::int64_t>(hash.high));
}
HashBuilder& HashBuilder::add(std::int64_t value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  return *this;
}
HashBuilder& HashBuilder::add(double value) { return add(std::bit_cast<std::int64_t>(value)); }
Hash128 HashBuilder::finish() const { return hash_text(bytes_); }

}  // namespace zoe
