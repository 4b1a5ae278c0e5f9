// SPDX-License-Identifier: MIT
#include "retarget/shift.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/quat.h"

namespace zoe::retarget_detail {

std::vector<Vec3> solve_shift(const FootShift& shift) {
  // The normal equations are tridiagonal and diagonally dominant: forward elimination, backward substitution.
  const std::size_t n = shift.wanted.size();
  std::vector<double> above(n, 0);
  std::vector<Vec3d> sum(n);
  for (std::size_t f = 0; f < n; ++f) {
    const double before = f > 0 ? shift.hold[f] : 0.0, after = f + 1 < n ? shift.hold[f + 1] : 0.0;
    double diagonal = 1 + before + after;
    sum[f] = to_double(shift.wanted[f]) - to_double(shift.excess[f]) * before;
    if (f + 1 < n) sum[f] = sum[f] + to_double(shift.excess[f + 1]) * after;
    if (f > 0) {
      diagonal -= before * above[f - 1];
      sum[f] = sum[f] + sum[f - 1] * before;
    }
    above[f] = after / diagonal;
    sum[f] = sum[f] / diagonal;
  }
  std::vector<Vec3> out(n);
  for (std::size_t f = n; f-- > 0;) {
    if (f + 1 < n) sum[f] = sum[f] + sum[f + 1] * above[f];
    out[f] = to_float(sum[f]);
  }
  return out;
}

std::vector<float> hold_prices(std::span<const float> ways, std::span<const std::uint8_t> stands, double fps) {
  // Displacement of the foot, in leg lengths, over which an offset approaches the desired one.
  constexpr double kAir = 0.04, kStanding = 1;
  constexpr double kStill = 0.02;  // Leg lengths per second; slower counts as still.
  const auto half = static_cast<std::ptrdiff_t>(std::lround(0.025 * fps)), n = static_cast<std::ptrdiff_t>(ways.size());
  const auto stood = [&](std::ptrdiff_t k) {  // Since the frame before.
    return stands[static_cast<std::size_t>(k)] != 0 && stands[static_cast<std::size_t>(k - 1)] != 0;
  };
  std::vector<float> prices;
  for (std::ptrdiff_t f = 0; f < n; ++f) {
    // Frames of the same state: the motion before a landing or after a take-off has no information about the contact.
    const bool stood_here = f > 0 && stood(f);
    double speed2 = 0;
    int alike = 0, standing = 0, count = 0;
    for (std::ptrdiff_t k = std::max<std::ptrdiff_t>(1, f - half); k <= std::min(n - 1, f + half); ++k, ++count) {
      standing += stood(k) ? 1 : 0;
      if (stood(k) != stood_here) continue;
      speed2 += std::pow(ways[static_cast<std::size_t>(k)] * fps, 2);
      ++alike;
    }
    const double share = stood_here ? 1.0 : static_cast<double>(standing) / std::max(1, count);
    const double way = kAir * std::pow(kStanding / kAir, share) * fps;
    prices.push_back(static_cast<float>(way * way / (speed2 / std::max(1, alike) + kStill * kStill)));
  }
  return prices;
}

}  // namespace zoe::retarget_detail
