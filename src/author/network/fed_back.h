// SPDX-License-Identifier: MIT
// Part of Zoetrope. The inputs of a frame-by-frame network that come from its own earlier outputs at run time.
#pragma once

#include <vector>

#include "zoe/features/layout.h"

namespace zoe::author {

// Pairs of first and one past the last column of the input. The path ahead and labels are the intent's and not among
// them.
struct FedBack {
  std::vector<int> speed;  // Velocities of joints, and the root's path up to now.
  std::vector<int> pose;   // All else of joints; phases and signals.
};
FedBack fed_back_columns(const features::Layout& layout);

}  // namespace zoe::author
