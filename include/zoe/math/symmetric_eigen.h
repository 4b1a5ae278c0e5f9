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

// Jacobi's method: sweeps of plane rotations, exact to rounding. s: [n × n], symmetric; its diagonal becomes
// the eigenvalues, in no order. vectors: [n × n], row i belongs to the i-th.
inline void symmetric_eigen(std::size_t n, double* s, double* vectors) {
  for (std::size_t i = 0; i < n * n; ++i) vectors[i] = i % (n + 1) == 0 ? 1 : 0;
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (std::size_t p = 0; p + 1 < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        const double off = s[p * n + q], pp = s[p * n + p], qq = s[q * n + q];
        if (std::abs(off) < 1e-14 * (std::abs(pp) + std::abs(qq))) continue;
        const double theta = 0.5 * std::atan2(2 * off, pp - qq);
        const double c = std::cos(theta), d = std::sin(theta);
        const auto turn = [c, d](double& a, double& b) {
          const double old_a = a, old_b = b;
          a = c * old_a + d * old_b, b = c * old_b - d * old_a;
        };
        for (std::size_t k = 0; k < n; ++k) turn(s[k * n + p], s[k * n + q]);
        for (std::size_t k = 0; k < n; ++k) turn(s[p * n + k], s[q * n + k]);
        for (std::size_t k = 0; k < n; ++k) turn(vectors[p * n + k], vectors[q * n + k]);
      }
    }
  }
}

template <std::size_t N>
SymmetricEigen<N> symmetric_eigen(SquareMatrix<N> s) {
  SymmetricEigen<N> out;
  symmetric_eigen(N, s[0].data(), out.vectors[0].data());
  for (std::size_t i = 0; i < N; ++i) out.values[i] = s[i][i];
  return out;
}

}  // namespace zoe
