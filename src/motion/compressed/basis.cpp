// SPDX-License-Identifier: MIT
#include "motion/compressed/basis.h"

#include <cmath>
#include <cstddef>

namespace zoe {

std::vector<double> orthonormal_polynomials(int num_points) {
  const auto n = static_cast<std::size_t>(num_points);
  std::vector<double> values(n * n, 0.0);
  std::vector<double> column(n);
  const auto at = [&](std::size_t point, std::size_t degree) -> double& { return values[point * n + degree]; };
  for (std::size_t degree = 0; degree < n; ++degree) {
    // x times the polynomial before it, made orthogonal to all before it. Two passes give full precision.
    for (std::size_t p = 0; p < n; ++p) {
      const double x = n > 1 ? 2.0 * static_cast<double>(p) / static_cast<double>(n - 1) - 1.0 : 0.0;
      column[p] = degree == 0 ? 1.0 : x * at(p, degree - 1);
    }
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < degree; ++k) {
        double along = 0;
        for (std::size_t p = 0; p < n; ++p) along += column[p] * at(p, k);
        for (std::size_t p = 0; p < n; ++p) column[p] -= along * at(p, k);
      }
    }
    double norm = 0;
    for (const double v : column) norm += v * v;
    norm = std::sqrt(norm);
    for (std::size_t p = 0; p < n; ++p) at(p, degree) = column[p] / norm;
  }
  return values;
}

}  // namespace zoe
