// SPDX-License-Identifier: MIT
#include "dataset/permutation.h"

#include <cmath>

#include "zoe/core/random.h"

namespace zoe::dataset {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;  // Steps of SplitMix64.

// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// A hash as a number below n.
std::uint64_t below(std::uint64_t hash, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(hash) * n) >> 64);
}

std::uint64_t add(std::uint64_t a, std::uint64_t b, std::uint64_t n) { return a + b >= n ? a + b - n : a + b; }

}  // namespace

Permutation::Permutation(std::uint64_t n, std::uint64_t seed, std::uint64_t stream, std::uint64_t pass) noexcept
    : n_(n) {
  rows_ = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  if (rows_ == 0) rows_ = 1;
  columns_ = (n + rows_ - 1) / rows_;
  Random random = Random(seed).split(stream).split(pass);
  key_ = random.next_u64();
  // Small rectangles mix less per round. A test checks neighbours.
  rounds_ = n < 64 ? 32 : n < 4096 ? 12 : 6;
}

std::uint64_t Permutation::operator()(std::uint64_t position) const noexcept {
  std::uint64_t i = position;
  do {
    std::uint64_t left = i / columns_, right = i % columns_;
    std::uint64_t key = key_;
    for (int r = 0; r < rounds_; r += 2) {
      left = add(left, below(mix(right + mix(key)), rows_), rows_);
      right = add(right, below(mix(left + mix(key + kGolden)), columns_), columns_);
      key += 2 * kGolden;
    }
    i = left * columns_ + right;
  } while (i >= n_);
  return i;
}

}  // namespace zoe::dataset
