// SPDX-License-Identifier: MIT
// Part of Zoetrope. Scores of painters as tables: which measures there are, and several runs as one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/sprite/generate/evaluate.h"

namespace zoe::sprite {

struct PaintMeasure {
  std::string name;     // A short head of a column: "PSNR".
  std::string key;      // Of JSON: "psnr_db".
  std::string meaning;  // One line.
  int digits = 3;       // After the point.
  double (*value)(const PaintScores& scores, std::size_t question) = nullptr;
  std::size_t question = 0;  // Of a judge's answers; else unused.

  double of(const PaintScores& scores) const { return value(scores, question); }
};
// In the order of columns: those that at least one of the rows has.
std::vector<PaintMeasure> measures_of(std::span<const PaintScores> rows);

// Of several rows, seeds of one setting: the mean, and the largest less the smallest value.
PaintScores mean_scores(std::span<const PaintScores> rows, std::string name);
PaintScores spread_scores(std::span<const PaintScores> rows, std::string name);

// Method and values as words.
std::vector<std::string> table_head(std::span<const PaintMeasure> measures);
std::vector<std::string> table_row(const PaintScores& scores, std::span<const PaintMeasure> measures);

}  // namespace zoe::sprite
