// SPDX-License-Identifier: MIT
// Part of Zoetrope. A 64-bit hash of a stream of bytes (XXH64, Collet): pieces of any size, no memory. The same on
// every platform. Against accidents, not attacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace zoe {

class Hash64 {
 public:
  explicit Hash64(std::uint64_t seed = 0);

  // add(a), add(b) equals add(a followed by b).
  void add(std::span<const std::byte> bytes);
  std::uint64_t finish() const;

 private:
  static constexpr std::size_t kBlock = 32;

  std::uint64_t lanes_[4];
  std::uint64_t seed_;
  std::uint64_t total_ = 0;    // Number of bytes so far.
  std::byte pending_[kBlock];  // The first total_ % kBlock are the start of the next block.
};

inline std::uint64_t hash64(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  Hash64 hash(seed);
  hash.add(bytes);
  return hash.finish();
}

}  // namespace zoe
