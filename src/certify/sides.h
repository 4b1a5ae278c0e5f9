// SPDX-License-Identifier: MIT
// Part of Zoetrope. The motion that each limb would have if left and right were exchanged.
#pragma once

#include <optional>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::certify {

struct Sides {
  std::vector<int> joints;    // Limb joints with a partner.
  std::vector<int> partners;  // Parallel.
  Motion mirrored;            // The whole clip mirrored: a joint has the mirrored rotation of its partner.
};
// Empty without pairs.
std::optional<Sides> find_sides(const Motion& motion, const SkeletonAnalysis& analysis);

}  // namespace zoe::certify
