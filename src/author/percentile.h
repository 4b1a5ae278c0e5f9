// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

namespace zoe::author {

// values: not empty; reordered. share: 0 to 1.
inline float percentile(std::vector<float>& values, double share) {
  const auto at = std::min(static_cast<std::size_t>(share * static_cast<double>(values.size())), values.size() - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace zoe::author
