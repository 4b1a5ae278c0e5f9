// SPDX-License-Identifier: MIT
// Part of Zoetrope. The ground as features see it: a height above each place.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::features {

class Terrain {
 public:
  virtual ~Terrain() = default;
  // Metres at model x, z. Called from several threads.
  virtual float height(float x, float z) const noexcept = 0;
};

// A function as terrain.
class FunctionTerrain : public Terrain {
 public:
  explicit FunctionTerrain(std::function<float(float, float)> function) : function_(std::move(function)) {}
  float height(float x, float z) const noexcept override { return function_(x, z); }

 private:
  std::function<float(float, float)> function_;
};

// Heights on a regular grid, bilinear between, held beyond its border.
class GridTerrain : public Terrain {
 public:
  // heights: [rows along z × columns along x], the first at (origin_x, origin_z). Fails on fewer than 2 × 2, on a spacing
  // that is not positive, and on another number of heights.
  static Result<GridTerrain> create(std::vector<float> heights, int columns, int rows, float spacing_m,
                                    float origin_x_m, float origin_z_m);
  float height(float x, float z) const noexcept override;

  // As given to create().
  std::span<const float> heights() const { return heights_; }
  int num_x() const { return columns_; }
  int num_z() const { return rows_; }
  float spacing_m() const { return spacing_; }
  float origin_x_m() const { return origin_x_; }
  float origin_z_m() const { return origin_z_; }

 private:
  GridTerrain() = default;
  std::vector<float> heights_;
  int columns_ = 0, rows_ = 0;
  float spacing_ = 1, origin_x_ = 0, origin_z_ = 0;
};

}  // namespace zoe::features
