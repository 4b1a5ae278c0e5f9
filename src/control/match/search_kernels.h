// SPDX-License-Identifier: MIT
// Part of Zoetrope. The traversal of a SearchIndex, compiled for every instruction set.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "zoe/control/match/match_query.h"

namespace zoe::control::kernels {

constexpr std::size_t kBlock = 16;  // Frames per leaf, nodes per block.
constexpr std::size_t kMaxAxes = 32;
constexpr std::size_t kPair = 2 * kBlock;  // Numbers of a pair of axes.
constexpr int kMaxLevels = 8;              // 16^8 leaves: more than an int can count.

struct LevelView {
  const std::int16_t* boxes = nullptr;
  const std::uint64_t* any_tags = nullptr;
  const std::uint64_t* all_tags = nullptr;
  std::size_t num_nodes = 0;
};

struct IndexView {
  int num_dims = 0, stride = 0, num_lead_pairs = 0, num_rest_pairs = 0, num_pairs = 0, num_levels = 0;
  std::size_t num_slots = 0;
  const double* means = nullptr;  // [dims]
  const double* axes = nullptr;   // [dims × kMaxAxes]
  double scale = 0;               // Integers per unit of length; 0: there are no boxes.
  double reach = 0;               // Queries farther than this from the mean do not fit 16 bits.
  double slack = 0;               // Largest excess of an integer length over the true one, in units.
  LevelView levels[kMaxLevels];
  const std::int16_t* points = nullptr;
  const float* rows = nullptr;
  const std::int32_t* frames = nullptr;
  const std::uint64_t* tags = nullptr;
};

// What a point has across the lead axes: the lengths of two parts of it. By the triangle inequality two points are at
// least as far apart as their lengths differ. So queries that are like no frame, whose distance is mostly across the
// lead axes, rule out boxes too. along: [kMaxAxes] from the mean; square: the whole squared distance from the mean.
inline std::array<double, 2> lengths_across(const double* along, double square, int num_lead_pairs, int num_pairs) {
  const int first = 2 * num_lead_pairs, end = 2 * num_pairs, middle = first + (end - first) / 4;
  double near = 0, lead = 0;
  for (int k = 0; k < first; ++k) lead += along[k] * along[k];
  for (int k = first; k < middle; ++k) near += along[k] * along[k];
  const double far = square - lead - near;  // With all beyond the last axis.
  return {std::sqrt(near), far > 0 ? std::sqrt(far) : 0.0};
}

// hint_slots are measured first; -1: none.
Match find(const IndexView& index, const MatchQuery& query, std::array<int, 2> hint_slots) noexcept;
Match scan(const IndexView& index, const MatchQuery& query) noexcept;
// Both [stride].
float cost(const float* a, const float* b, int stride) noexcept;

}  // namespace zoe::control::kernels
