// SPDX-License-Identifier: MIT
// Part of Zoetrope. Stick figures for toy data: a trunk, a head, two arms and two legs, each in a colour of its own.
#pragma once

#include <vector>

#include "zoe/core/random.h"
#include "zoe/paint/pose.h"

namespace zoe::train {

constexpr int kToySize = 16;

paint::Pose toy_pose(Random& random);
// Indices 1 to 4, 0: nothing.
std::vector<std::uint8_t> draw_toy(const paint::Pose& pose);
// Index and coverage of each pixel in turn.
std::vector<std::uint8_t> with_coverage(const std::vector<std::uint8_t>& indices);

}  // namespace zoe::train
