// SPDX-License-Identifier: MIT
// Part of Zoetrope. Further rows from recorded ones, for training: mirror images and other speeds.
#pragma once

#include <span>
#include <vector>

#include "zoe/style/features.h"

namespace zoe::style {

// rows [n × kNumColumns] seen in a mirror: left and right change sides.
std::vector<float> mirrored_rows(std::span<const float> rows);

// The same motion played `speed` times as fast, > 0, at the same rate: speeds grow by the factor.
std::vector<float> retimed_rows(std::span<const float> rows, double speed);

}  // namespace zoe::style
