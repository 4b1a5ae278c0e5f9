// SPDX-License-Identifier: MIT
#include "sprite/puppet/arap.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::sprite {

BandMatrix::BandMatrix(int size, int band) : size_(size), band_(band), rows_(idx(size) * idx(band + 1)) {}

double& BandMatrix::at(int row, int column) { return rows_[idx(row) * idx(band_ + 1) + idx(column - row + band_)]; }

void BandMatrix::factorise() {
  for (int i = 0; i < size_; ++i) {
    for (int j = std::max(0, i - band_); j <= i; ++j) {
      double sum = at(i, j);
      for (int k = std::max(std::max(0, i - band_), j - band_); k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / at(j, j);
    }
  }
}

void BandMatrix::solve(std::span<double> right) const {
  const std::size_t stride = idx(band_ + 1);
  for (int i = 0; i < size_; ++i) {
    const int first = std::max(0, i - band_);
    const double* row = rows_.data() + idx(i) * stride + idx(first - i + band_);
    double sum = right[idx(i)];
    for (int k = first; k < i; ++k) sum -= *row++ * right[idx(k)];
    right[idx(i)] = sum / *row;
  }
  for (int i = size_ - 1; i >= 0; --i) {
    const int first = std::max(0, i - band_);
    const double* row = rows_.data() + idx(i) * stride + idx(first - i + band_);
    const double value = right[idx(i)] /= row[i - first];
    for (int k = first; k < i; ++k) right[idx(k)] -= *row++ * value;
  }
}

ArapSolver::ArapSolver(std::vector<Point> rest, std::vector<MeshEdge> edges, std::vector<double> pulls)
    : rest_(std::move(rest)), edges_(std::move(edges)), pulls_(std::move(pulls)) {
  int band = 0;
  for (const MeshEdge& edge : edges_) band = std::max(band, std::abs(edge.a - edge.b));
  const int size = static_cast<int>(rest_.size());
  matrix_ = BandMatrix(size, band);
  for (int i = 0; i < size; ++i) matrix_.at(i, i) = pulls_[idx(i)];
  for (const MeshEdge& edge : edges_) {
    matrix_.at(edge.a, edge.a) += 1;
    matrix_.at(edge.b, edge.b) += 1;
    matrix_.at(std::max(edge.a, edge.b), std::min(edge.a, edge.b)) -= 1;
  }
  matrix_.factorise();
  x_.resize(rest_.size());
  y_.resize(rest_.size());
  sine_.resize(rest_.size());
  cosine_.resize(rest_.size());
}

void ArapSolver::solve(std::span<const Point> targets, std::span<const Point> stretched, int passes,
                       std::vector<Point>& out) {
  out.assign(targets.begin(), targets.end());
  for (int pass = 0; pass < passes; ++pass) {
    // The turn of each vertex that fits its edges best.
    std::fill(sine_.begin(), sine_.end(), 0.0);
    std::fill(cosine_.begin(), cosine_.end(), 0.0);
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const std::size_t a = idx(edges_[e].a), b = idx(edges_[e].b);
      const Point now = out[b] - out[a];
      const double s = cross(stretched[e], now), c = dot(stretched[e], now);
      sine_[a] += s, sine_[b] += s;
      cosine_[a] += c, cosine_[b] += c;
    }
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const double size = std::sqrt(sine_[i] * sine_[i] + cosine_[i] * cosine_[i]);
      sine_[i] = size > 1e-12 ? sine_[i] / size : 0;
      cosine_[i] = size > 1e-12 ? cosine_[i] / size : 1;
      x_[i] = pulls_[i] * targets[i].x;
      y_[i] = pulls_[i] * targets[i].y;
    }
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const std::size_t a = idx(edges_[e].a), b = idx(edges_[e].b);
      const double s = (sine_[a] + sine_[b]) / 2, c = (cosine_[a] + cosine_[b]) / 2;
      const Point turned{c * stretched[e].x - s * stretched[e].y, s * stretched[e].x + c * stretched[e].y};
      x_[a] -= turned.x, y_[a] -= turned.y;
      x_[b] += turned.x, y_[b] += turned.y;
    }
    matrix_.solve(x_);
    matrix_.solve(y_);
    for (std::size_t i = 0; i < rest_.size(); ++i) out[i] = {x_[i], y_[i]};
  }
}

}  // namespace zoe::sprite
