// SPDX-License-Identifier: MIT
// Part of Zoetrope. Principal axes of points.
#pragma once

#include <span>
#include <vector>

namespace zoe::control {

struct PrincipalAxes {
  std::vector<double> means;      // [dims]
  std::vector<double> axes;       // [dims × dims] orthonormal rows, by falling variance.
  std::vector<double> variances;  // [dims]
};

// points: [points × num_dims]; only `chosen` points count.
PrincipalAxes principal_axes(std::span<const float> points, int num_dims, std::span<const int> chosen);

}  // namespace zoe::control
