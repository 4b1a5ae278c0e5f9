// SPDX-License-Identifier: MIT
// Part of Zoetrope. A new style from recordings of it, without training and without torch: the code that rebuilds them
// best, and an offset of the pose: the mean of what no code can say. A correction that follows the network's state can
// be fitted as well: it rebuilds clips of the style better, but motions of other styles lose their content
// (docs/style.md has the measure), so it is off unless requested.
#pragma once

#include "zoe/core/random.h"
#include "zoe/style/stylize.h"

namespace zoe::style {

struct StyleExample {
  std::vector<float> rows;  // [n × kNumColumns], 30 a second.
  std::array<Vec3, kNumRoles> offsets{};
};

struct AdaptOptions {
  int tries = 150;         // Of the search for the code; 0: the encoder's.
  bool correct = true;     // False: the code alone.
  bool follow = false;     // With three clips or more: also a linear function of the state.
  std::uint64_t seed = 1;  // Of the search.
};

struct AdaptedStyle {
  StyleCode code;
  RowCorrection correction;
  // Mean distance of joints between the examples and what the network makes of them, leg lengths: with the encoder's
  // code, and with this.
  double error_before = 0, error_after = 0;
};
// At least one example with a row. A style of several clips takes seconds.
AdaptedStyle adapt_style(const StyleModel& model, std::span<const StyleExample> examples,
                         const AdaptOptions& options = {});

}  // namespace zoe::style
