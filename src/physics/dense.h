// SPDX-License-Identifier: MIT
// Part of Zoetrope. Small dense row-major matrices: what gradients and plans of balance need.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace zoe::physics {

// out [columns] += matrixᵀ x; matrix: [x.size() × out.size()].
inline void add_transposed_product(std::span<const double> matrix, std::span<const double> x, std::span<double> out) {
  for (std::size_t row = 0; row < x.size(); ++row) {
    const double* values = matrix.data() + row * out.size();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += values[i] * x[row];
  }
}

// Lower factor of a symmetric matrix [n × n], in place; false where the matrix is not positive.
inline bool factor_cholesky(std::span<double> a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i != j) {
        a[i * n + j] = sum / a[j * n + j];
        continue;
      }
      if (!(sum > 1e-12) || !std::isfinite(sum)) return false;
      a[i * n + i] = std::sqrt(sum);
    }
  }
  return true;
}

// b becomes (L Lᵀ)⁻¹ b.
inline void solve_cholesky(std::span<const double> lower, std::span<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= lower[i * n + k] * b[k];
    b[i] /= lower[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= lower[k * n + i] * b[k];
    b[i] /= lower[i * n + i];
  }
}

}  // namespace zoe::physics
