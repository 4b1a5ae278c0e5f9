// SPDX-License-Identifier: MIT
// Part of Zoetrope. The walk through a SearchIndex, compiled for every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "zoe/control/match/search_index.h"

namespace zoe::control::kernels {

constexpr std::size_t kBlock = 16;  // Frames of a leaf, nodes of a block.
constexpr std::size_t kMaxLead = 32;
constexpr int kMaxLevels = 8;       // 16^8 leaves: more than an int counts.

struct LevelView {
  const float* boxes = nullptr;
  const std::uint64_t* any_tags = nullptr;
  const std::uint64_t* all_tags = nullptr;
};

struct IndexView {
  int num_dims = 0, stride = 0, num_lead = 0, num_levels = 0;
  std::size_t num_slots = 0;
  const double* means = nullptr;  // [dims]
  const double* axes = nullptr;   // [dims × kMaxLead]
  double largest_norm = 0;
  LevelView levels[kMaxLevels];
  const float* points = nullptr;
  const float* rows = nullptr;
  const std::int32_t* frames = nullptr;
  const std::uint64_t* tags = nullptr;
};

// hint_slots are measured first; -1: none.
Match find(const IndexView& index, const MatchQuery& query,
           std::array<int, 2> hint_slots) noexcept;
Match scan(const IndexView& index, const MatchQuery& query) noexcept;
// Both [stride].
float cost(const float* a, const float* b, int stride) noexcept;

}  // namespace zoe::control::kernels
