// SPDX-License-Identifier: MIT
// Part of Zoetrope. Fréchet distance of two sets of motions in the space of an encoder, with its floor: what two halves
// of one set are apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::eval {

// Mean and covariance of rows.
struct GaussianFit {
  int width = 0;
  std::size_t num_rows = 0;
  std::vector<double> mean, covariance;  // [width], [width × width]; divided by rows - 1.
};
// rows: [n × width], n >= 2, finite.
GaussianFit fit_gaussian(std::span<const float> rows, int width);

// Squared distance |m₁ - m₂|² + tr(C₁ + C₂ - 2 (C₁^½ C₂ C₁^½)^½) (Dowson and Landau, 1982), without a matrix that is
// inverted, so that a singular covariance does no harm. Never negative.
double frechet_distance(const GaussianFit& a, const GaussianFit& b);

// Rows of one set. Rows of one clip are alike, so halves are drawn by clips.
struct CodeSet {
  int width = 0;
  std::vector<float> codes;  // [rows × width]
  std::vector<int> clips;    // [rows] Number of the clip of each row.
  std::size_t size() const { return clips.size(); }
};

struct FrechetOptions {
  int num_seeds = 10;  // Splits of each estimate.
  std::uint64_t seed = 1;
};

struct Spread {
  double mean = 0, deviation = 0, lowest = 0, highest = 0;
};

struct FrechetReport {
  double distance = 0;  // Of all rows. Few rows make it too large, by about a constant over their number.
  // The same for infinitely many rows: a line through the distances of 1, ½, ⅓ and ¼ of the clips over 1 / rows (Chong
  // and Forsyth, 2020). At least 0.
  double extrapolated = 0;
  // Two halves of `real`, by clips: what real motion is from real motion.
  Spread floor;
  // A part of `made` from a half of `real`, with as many rows as the floor's halves where there are as many: compare
  // with the floor.
  Spread at_floor_size;
  std::size_t made_rows = 0, real_rows = 0, floor_rows = 0;  // floor_rows: mean of a half.
  int made_clips = 0, real_clips = 0;
  // Ten rows for each column: below it the covariances are guesses.
  bool too_few() const { return made_rows < needed_rows || real_rows < needed_rows; }
  std::size_t needed_rows = 0;
};
// Fails on fewer than 4 clips of `real`, fewer than 2 rows of `made`, and different widths.
Result<FrechetReport> compare_sets(const CodeSet& made, const CodeSet& real, const FrechetOptions& options = {});

}  // namespace zoe::eval
