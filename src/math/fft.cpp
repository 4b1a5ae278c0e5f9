// SPDX-License-Identifier: MIT
#include "zoe/math/fft.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "zoe/core/check.h"

namespace zoe {
namespace {

// Iterative Cooley-Tukey, radix two; direction -1 forwards, +1 backwards.
void transform(std::span<std::complex<double>> x, double direction) {
  const std::size_t n = x.size();
  ZOE_CHECK(std::has_single_bit(n), "fft: the size must be a power of two");
  for (std::size_t i = 1, reversed = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (reversed & bit) != 0; bit >>= 1) reversed ^= bit;
    reversed |= bit;
    if (i < reversed) std::swap(x[i], x[reversed]);
  }
  // One table of roots, each exact to rounding: products of roots would lose digits with the size.
  std::vector<std::complex<double>> roots(n / 2);
  for (std::size_t k = 0; k < n / 2; ++k) {
    roots[k] = std::polar(1.0, direction * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  }
  for (std::size_t half = 1; half < n; half *= 2) {
    const std::size_t stride = n / (2 * half);
    for (std::size_t begin = 0; begin < n; begin += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        const std::complex<double> a = x[begin + k], b = x[begin + half + k] * roots[k * stride];
        x[begin + k] = a + b;
        x[begin + half + k] = a - b;
      }
    }
  }
}

}  // namespace

void fft(std::span<std::complex<double>> values) { transform(values, -1); }

void inverse_fft(std::span<std::complex<double>> values) {
  transform(values, 1);
  for (auto& v : values) v /= static_cast<double>(values.size());
}

}  // namespace zoe
