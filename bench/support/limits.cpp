// SPDX-License-Identifier: MIT
#include "support/limits.h"

#include <cmath>

#include <fmt/format.h>

namespace zoe::bench {

std::vector<std::string> broken_limits(std::span<const Row> rows) {
  std::vector<std::string> broken;
  for (const Row& row : rows) {
    if (!std::isfinite(row.ours) || row.ours < 0 || !std::isfinite(row.limit) || row.limit < 0) {
      broken.push_back(
          fmt::format("{}: {} {} against a limit of {} is no measurement", row.name, row.ours, row.unit, row.limit));
    } else if (row.share() > kMaxShare) {
      broken.push_back(fmt::format("{}: {:.4g} {} is {:.0f} % of the limit ({}), more than {:.0f} %", row.name,
                                   row.ours, row.unit, 100 * row.share(),
                                   row.limit_name.empty() ? "not named" : row.limit_name, 100 * kMaxShare));
    }
  }
  return broken;
}

}  // namespace zoe::bench
