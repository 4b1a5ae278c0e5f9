// SPDX-License-Identifier: MIT
// Part of Zoetrope. One measure over many runs.
#pragma once

#include <optional>

namespace zoe::eval {

struct Summary {
  double mean = 0, deviation = 0;   // Over courses and seeds.
  std::optional<double> reference;  // Of the source mocap, where the measure applies to it.
  double largest = 0;               // Over the same.
};

}  // namespace zoe::eval
