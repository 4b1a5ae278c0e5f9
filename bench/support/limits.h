// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. No result can be faster than the machine's limit: a row above it measures something
// else.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "support/bench.h"

namespace zoe::bench {

// Both figures are measured, each with some noise.
constexpr double kMaxShare = 1.05;

// One line per row whose fraction of its limit is above kMaxShare, or with a figure that is not finite or below zero.
std::vector<std::string> broken_limits(std::span<const Row> rows);

}  // namespace zoe::bench
