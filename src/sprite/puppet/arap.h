// SPDX-License-Identifier: MIT
// Part of Zoetrope. As-rigid-as-possible deformation of a plane mesh (Sorkine and Alexa 2007): the matrix does not
// depend on the pose, so it is factorised once. A frame costs two passes of substitution in a narrow band.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/sprite/puppet/point.h"

namespace zoe::sprite {

// L Lᵀ of a symmetric positive definite matrix with few diagonals.
class BandMatrix {
 public:
  BandMatrix() = default;
  BandMatrix(int size, int band);
  double& at(int row, int column);  // column <= row <= column + band.
  void factorise();
  void solve(std::span<double> right) const;

 private:
  int size_ = 0, band_ = 0;
  std::vector<double> rows_;  // [size × (band + 1)], the diagonal last.
};

struct MeshEdge {
  int a = 0, b = 0;
};

class ArapSolver {
 public:
  // pulls: [vertices] how strongly a vertex follows its target; small for free ones, never 0.
  ArapSolver(std::vector<Point> rest, std::vector<MeshEdge> edges, std::vector<double> pulls);

  std::size_t num_vertices() const { return rest_.size(); }
  const std::vector<Point>& rest() const { return rest_; }

  // targets: [vertices]; also the first guess. stretched: [edges] the edge from a to b at rest, foreshortened. Result
  // in `out`. No allocation after the first call.
  void solve(std::span<const Point> targets, std::span<const Point> stretched, int passes, std::vector<Point>& out);

  const std::vector<MeshEdge>& edges() const { return edges_; }

 private:
  std::vector<Point> rest_;
  std::vector<MeshEdge> edges_;
  std::vector<double> pulls_;
  BandMatrix matrix_;
  std::vector<double> x_, y_, sine_, cosine_;
};

}  // namespace zoe::sprite
