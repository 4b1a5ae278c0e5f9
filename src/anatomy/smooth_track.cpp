// SPDX-License-Identifier: MIT
#include "zoe/anatomy/smooth_track.h"

#include <algorithm>

namespace zoe::anatomy {

void smooth_track(std::vector<Vec3>& track, std::ptrdiff_t half) {
  const auto n = static_cast<std::ptrdiff_t>(track.size());
  std::vector<Vec3d> sums(track.size() + 1);
  for (std::size_t f = 0; f < track.size(); ++f) sums[f + 1] = sums[f] + to_double(track[f]);
  for (std::ptrdiff_t f = 0; f < n; ++f) {
    const std::ptrdiff_t near =
        std::min({half, f, n - 1 - f});  // Both sides are equally long, so that ends do not lag.
    const Vec3d sum = sums[static_cast<std::size_t>(f + near + 1)] - sums[static_cast<std::size_t>(f - near)];
    track[static_cast<std::size_t>(f)] = to_float(sum / static_cast<double>(2 * near + 1));
  }
}

}  // namespace zoe::anatomy
