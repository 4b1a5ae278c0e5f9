// SPDX-License-Identifier: MIT
// A random order of [0, n) without memory: position → element, one to one. Feistel rounds on a rectangle: i = left *
// columns + right, and in turn each half is rotated by a hash of the other. The few cells of the rectangle beyond n are
// skipped (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
#pragma once

#include <cstdint>

namespace zoe::dataset {

class Permutation {
 public:
  // Orders of different (seed, stream, pass) are independent. n > 0, below 2^62.
  Permutation(std::uint64_t n, std::uint64_t seed, std::uint64_t stream, std::uint64_t pass) noexcept;
  std::uint64_t operator()(std::uint64_t position) const noexcept;

 private:
  std::uint64_t n_, rows_, columns_, key_;
  int rounds_;
};

}  // namespace zoe::dataset
