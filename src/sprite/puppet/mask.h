// SPDX-License-Identifier: MIT
// Part of Zoetrope. Masks: the pixels that belong to a figure, and what is computed from them.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/core/index.h"
#include "zoe/sprite/puppet/point.h"

namespace zoe::sprite {

template <typename T>
struct Grid {
  int width = 0, height = 0;
  std::vector<T> cells;  // Rows from the top.

  Grid() = default;
  Grid(int w, int h, T value = {}) : width(w), height(h), cells(idx(w) * idx(h), value) {}
  bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
  T& at(int x, int y) { return cells[idx(y) * idx(width) + idx(x)]; }
  const T& at(int x, int y) const { return cells[idx(y) * idx(width) + idx(x)]; }
  // `outside` beyond the border.
  T get(int x, int y, T outside = {}) const { return inside(x, y) ? at(x, y) : outside; }
};

using Mask = Grid<std::uint8_t>;  // 1: figure.

struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;  // [left, right) × [top, bottom)
  int width() const { return right - left; }
  int height() const { return bottom - top; }
  bool empty() const { return right <= left; }
};
Box box_of(const Mask& mask);
int area_of(const Mask& mask);

// Distance from each pixel of the figure to the nearest pixel outside, pixels (exact, Felzenszwalb and Huttenlocher
// 2012). The border of the grid is outside.
Grid<float> depth_of(const Mask& mask);
// Distance from each pixel to the nearest one of the figure; 0 inside.
Grid<float> distance_to(const Mask& mask);
// Pixels nearer than radius to a pixel of the figure.
Mask dilated(const Mask& mask, double radius);
Mask eroded(const Mask& mask, double radius);

// Connected parts (8 neighbours), numbered from 1; 0 outside. sizes[i]: pixels of part i + 1.
Grid<int> parts_of(const Mask& mask, std::vector<int>& sizes);
// The pixels that a path of pixels outside of the figure does not connect to the border.
Mask without_holes(const Mask& mask);

}  // namespace zoe::sprite
