// SPDX-License-Identifier: MIT
// Part of Zoetrope. Seeded random numbers that are the same on every platform and for any number of threads.
// Counter-based (Philox 4x32-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a number is a
// function of seed, stream and position. Work is split by giving each item its own stream: random.split(item).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace zoe {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

// The bare generator: one block of four words.
PhiloxCounter philox4x32_10(PhiloxCounter counter, PhiloxKey key);

// A stream of numbers. Copying copies the position. Not thread-safe: split instead.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  // An independent stream. It depends on this stream's identity and `key` only, not on how many numbers were drawn.
  Random split(std::uint64_t key) const;

  std::uint32_t next_u32();
  std::uint64_t next_u64();

  float uniform();                       // [0, 1), 24 bits.
  double uniform_double();               // [0, 1), 53 bits.
  float uniform(float low, float high);  // [low, high); low <= high.

  // Mean 0, deviation 1. Uses correctly rounded arithmetic only (no libm), so bits are equal on every platform.
  double normal();

  // [0, n) without bias; n > 0.
  std::uint64_t below(std::uint64_t n);

  // Every order equally likely (Fisher-Yates).
  template <typename Items>
  void shuffle(Items&& items) {  // A vector, span or array.
    for (std::size_t i = std::size(items); i > 1; --i) {
      using std::swap;
      swap(items[i - 1], items[below(i)]);
    }
  }

 private:
  Random(PhiloxKey key, std::uint64_t nonce) : key_(key), nonce_(nonce) {}

  PhiloxKey key_{};
  std::uint64_t nonce_ = 0;  // Upper half of the counter: the stream.
  std::uint64_t block_ = 0;  // Lower half: the position in it.
  PhiloxCounter words_{};
  unsigned used_ = 4;  // Words of words_ already used.
};

// The normal distribution's quantile for 0 < p < 1 (Wichura's AS 241, about 16 digits), without libm.
double normal_quantile(double p);

}  // namespace zoe
