// SPDX-License-Identifier: MIT
#include "control/match/principal_axes.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "zoe/math/symmetric_eigen.h"

namespace zoe::control {

PrincipalAxes principal_axes(std::span<const float> points, int num_dims, std::span<const int> chosen) {
  const auto n = static_cast<std::size_t>(num_dims);
  const double share = chosen.empty() ? 0 : 1.0 / static_cast<double>(chosen.size());
  PrincipalAxes out;
  out.means.resize(n);
  for (const int point : chosen)
    for (std::size_t i = 0; i < n; ++i)
      out.means[i] += share * static_cast<double>(points[static_cast<std::size_t>(point) * n + i]);
  std::vector<double> covariance(n * n), vectors(n * n), away(n);
  for (const int point : chosen) {
    for (std::size_t i = 0; i < n; ++i)
      away[i] = static_cast<double>(points[static_cast<std::size_t>(point) * n + i]) - out.means[i];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) covariance[i * n + j] += share * away[i] * away[j];
  }
  symmetric_eigen(n, covariance.data(), vectors.data());
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return covariance[a * (n + 1)] > covariance[b * (n + 1)]; });
  for (const std::size_t i : order) {
    out.variances.push_back(std::max(covariance[i * (n + 1)], 0.0));
    out.axes.insert(out.axes.end(), vectors.begin() + static_cast<std::ptrdiff_t>(i * n),
                    vectors.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
  }
  return out;
}

}  // namespace zoe::control
