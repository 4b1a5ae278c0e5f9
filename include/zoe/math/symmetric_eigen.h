// SPDX-License-Identifier: MIT
// Part of Zoetrope. Eigenvectors of small symmetric matrices.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace zoe {

template <std::size_t N>
using SquareMatrix = std::array<std::array<double, N>, N>;  // Rows.

template <std::size_t N>
struct SymmetricEigen {
  std::array<double, N> values{};  // In no order.
  SquareMatrix<N> vectors{};       // vectors[i] belongs to values[i]; orthonormal.

  std::size_t largest() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < N; ++i) best = values[i] > values[best] ? i : best;
    return best;
  }
  std::size_t smallest() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < N; ++i) best = values[i] < values[best] ? i : best;
    return best;
  }
};

// Jacobi's method: sweeps of plane rotations, exact to rounding for the N <= 4 this is for.
template <std::size_t N>
SymmetricEigen<N> symmetric_eigen(SquareMatrix<N> s) {
  SymmetricEigen<N> out;
  for (std::size_t i = 0; i < N; ++i) out.vectors[i][i] = 1;
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (std::size_t p = 0; p + 1 < N; ++p) {
      for (std::size_t q = p + 1; q < N; ++q) {
        const double off = s[p][q];
        if (std::abs(off) < 1e-14 * (std::abs(s[p][p]) + std::abs(s[q][q]))) continue;
        const double theta = 0.5 * std::atan2(2 * off, s[p][p] - s[q][q]);
        const double c = std::cos(theta), d = std::sin(theta);
        const auto turn = [c, d](double& a, double& b) {
          const double old_a = a, old_b = b;
          a = c * old_a + d * old_b, b = c * old_b - d * old_a;
        };
        for (std::size_t k = 0; k < N; ++k) turn(s[k][p], s[k][q]);
        for (std::size_t k = 0; k < N; ++k) turn(s[p][k], s[q][k]);
        for (std::size_t k = 0; k < N; ++k) turn(out.vectors[p][k], out.vectors[q][k]);
      }
    }
  }
  for (std::size_t i = 0; i < N; ++i) out.values[i] = s[i][i];
  return out;
}

}  // namespace zoe
