// SPDX-License-Identifier: MIT
// Part of Zoetrope. Points of labels in one space of styles: a sum of labels is a point between or beyond theirs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::control {

struct StylePoints {
  int dims = 0;               // 0: no labels.
  std::vector<float> points;  // [labels × dims]

  std::size_t num_labels() const { return dims == 0 ? 0 : points.size() / static_cast<std::size_t>(dims); }
  // Adds weight × point of labels [first, first + weights). out: [dims].
  void add(std::size_t first, std::span<const float> weights, std::span<float> out) const noexcept;

  // As text in the metadata of a network: dims, then all numbers.
  std::string to_text() const;
  // Refuses text that is not of num_labels labels.
  static Result<StylePoints> parse(std::string_view text, std::size_t num_labels);
};

constexpr const char* kStylePointsKey = "style_points";

}  // namespace zoe::control
