// SPDX-License-Identifier: MIT
#include "zoe/math/fft.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(Fft, MatchesTheSumAndComesBack) {
  for (std::size_t n : {1U, 2U, 8U, 64U}) {
    std::vector<std::complex<double>> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = {std::sin(1.7 * static_cast<double>(i * i)), std::cos(0.3 * static_cast<double>(i))};
    }
    std::vector<std::complex<double>> y = x;
    fft(y);
    for (std::size_t k = 0; k < n; ++k) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += x[i] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * k) / static_cast<double>(n));
      }
      EXPECT_LT(std::abs(y[k] - sum), 1e-11);
    }
    inverse_fft(y);
    for (std::size_t i = 0; i < n; ++i) EXPECT_LT(std::abs(y[i] - x[i]), 1e-13);
  }
}

}  // namespace
}  // namespace zoe
