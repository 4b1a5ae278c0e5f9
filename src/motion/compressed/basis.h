// SPDX-License-Identifier: MIT
// Part of Zoetrope. Polynomials that are orthonormal over equally spaced points (discrete Legendre, "Gram"
// polynomials): smooth motion over a fraction of a second needs only the first few.
#pragma once

#include <vector>

namespace zoe {

// For num_points points: value of polynomial k at point p is values[p * num_points + k]; rows and columns are
// orthonormal, so a rounding error of one coefficient spreads evenly over time. Polynomial 0 is constant.
std::vector<double> orthonormal_polynomials(int num_points);

}  // namespace zoe
