// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. What one core can do at most: read memory, multiply and add.
#pragma once

#include <cstddef>
#include <span>

namespace zoe::bench {

// Reads every byte once, as fast as the widest vectors can.
void read_all(std::span<const std::byte> memory);

// Multiplications and additions, counted separately, of one call of run_multiply_adds(), which does
// nothing else.
constexpr double kMultiplyAddOperations = 2.0 * 16 * 20 * 10'000;
void run_multiply_adds();

}  // namespace zoe::bench
