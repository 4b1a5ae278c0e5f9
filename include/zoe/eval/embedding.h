// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rows of many columns as points of a plane, for people to look at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::eval {

// rows: [n × width]. The n × min(k, n - 1) nearest other rows of each, nearest first.
std::vector<int> nearest_rows(std::span<const float> rows, int width, int k);

// The two principal components. Zero for fewer than two rows.
std::vector<Vec2> principal_plane(std::span<const float> rows, int width);

struct EmbeddingOptions {
  int neighbours = 15;
  int epochs = 300;
  std::uint64_t seed = 1;
  // [n] or empty. Rows of one clip are nearly equal: at most `most_of_clip` neighbours of a row are of its own clip, so
  // that like clips are drawn together and not only the windows of each.
  std::span<const int> clips;
  int most_of_clip = 2;
};
// Keeps neighbours together, at the price of distances: a weighted graph of nearest rows, laid out by attraction along
// its edges and repulsion of random pairs, from the principal plane on (after McInnes et al., UMAP, 2018). Time grows
// with n² for the neighbours (1 s for 5,000 rows) and n for the layout. The same seed gives the same points.
std::vector<Vec2> embed_neighbours(std::span<const float> rows, int width, const EmbeddingOptions& options = {});

// Trustworthiness (Venna and Kaski, 2001), 0 to 1: how few of the k nearest points in the plane are far away among the
// rows. n > 2 k.
double trustworthiness(std::span<const float> rows, int width, std::span<const Vec2> points, int k = 10);

}  // namespace zoe::eval
