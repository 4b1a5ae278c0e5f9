// SPDX-License-Identifier: MIT
#include "author/lmm/label_points.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/math/symmetric_eigen.h"

namespace zoe::author {
namespace {

using control::MotionDatabase;
using control::StylePoints;

constexpr std::size_t kMostDims = 4;
constexpr double kLeastUnlabelled = 0.01;  // Of all frames.

// Means, then deviations, of the frames that `has` accepts, in deviations of all frames.
template <typename Has>
std::vector<double> describe(const Frames& y, std::span<const double> spread, const Has& has) {
  const std::size_t width = idx(y.width);
  std::vector<double> sum(width), squares(width);
  double count = 0;
  for (int f = 0; f < y.count(); ++f) {
    if (!has(f)) continue;
    ++count;
    for (std::size_t c = 0; c < width; ++c) {
      const double value = y.of(f)[c] / spread[c];
      sum[c] += value;
      squares[c] += value * value;
    }
  }
  std::vector<double> out;
  for (std::size_t c = 0; c < width; ++c) out.push_back(sum[c] / std::max(count, 1.0));
  for (std::size_t c = 0; c < width; ++c)
    out.push_back(std::sqrt(std::max(squares[c] / std::max(count, 1.0) - out[c] * out[c], 0.0)));
  return out;
}

}  // namespace

StylePoints label_points(const MotionDatabase& database, const Frames& y) {
  const features::Schema& schema = database.layout().schema();
  const std::size_t labels = schema.styles.size() + schema.actions.size();
  if (labels == 0) return {};
  features::ColumnStatistics statistics(y.width);
  statistics.add(y.values);
  std::vector<double> spread = statistics.deviations();
  for (double& value : spread) value = std::max(value, 1e-3);
  int unlabelled = 0;
  for (int f = 0; f < y.count(); ++f) unlabelled += database.tags(f) == 0 ? 1 : 0;
  const bool has_unlabelled = unlabelled >= kLeastUnlabelled * y.count();
  const std::vector<double> base = describe(y, spread, [&](int f) { return !has_unlabelled || database.tags(f) == 0; });
  std::vector<std::vector<double>> apart;
  for (std::size_t i = 0; i < labels; ++i) {
    apart.push_back(describe(y, spread, [&](int f) { return (database.tags(f) >> i & 1) != 0; }));
    for (std::size_t c = 0; c < base.size(); ++c) apart.back()[c] -= base[c];
  }
  // Principal axes by the products of labels: there are few labels and many columns.
  std::vector<double> products(labels * labels), vectors(labels * labels);
  for (std::size_t i = 0; i < labels; ++i)
    for (std::size_t j = 0; j < labels; ++j)
      for (std::size_t c = 0; c < base.size(); ++c) products[i * labels + j] += apart[i][c] * apart[j][c];
  symmetric_eigen(labels, products.data(), vectors.data());
  std::vector<std::size_t> order(labels);
  for (std::size_t i = 0; i < labels; ++i) order[i] = i;
  const auto value = [&](std::size_t i) { return products[i * labels + i]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) > value(b); });
  std::size_t dims = 1;
  while (dims < std::min(labels, kMostDims) && value(order[dims]) > 1e-6 * value(order[0])) ++dims;
  double square = 0;
  for (std::size_t d = 0; d < dims; ++d) square += std::max(value(order[d]), 0.0);
  const double scale = std::sqrt(static_cast<double>(labels) / std::max(square, 1e-12));
  StylePoints out{.dims = static_cast<int>(dims), .points = std::vector<float>(labels * dims)};
  for (std::size_t d = 0; d < dims; ++d) {
    const double* axis = vectors.data() + order[d] * labels;
    const double* largest = std::max_element(axis, axis + labels, [](double a, double b) {
      return std::abs(a) < std::abs(b) - 1e-9;  // The first of equal ones.
    });
    const double factor = scale * std::sqrt(std::max(value(order[d]), 0.0)) * (*largest < 0 ? -1 : 1);
    for (std::size_t i = 0; i < labels; ++i) out.points[i * dims + d] = static_cast<float>(factor * axis[i]);
  }
  return out;
}

Frames with_style_vectors(const MotionDatabase& database, const Frames& x, const StylePoints& points) {
  if (points.dims == 0) return x;
  Frames out{x.width + points.dims, {}};
  out.values.reserve(idx(x.count()) * idx(out.width));
  std::vector<float> weights(points.num_labels()), vector(idx(points.dims));
  for (int f = 0; f < x.count(); ++f) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = (database.tags(f) >> i & 1) != 0 ? 1.0F : 0.0F;
    std::fill(vector.begin(), vector.end(), 0.0F);
    points.add(0, weights, vector);
    const auto frame = x.of(f);
    out.values.insert(out.values.end(), frame.begin(), frame.end());
    out.values.insert(out.values.end(), vector.begin(), vector.end());
  }
  return out;
}

}  // namespace zoe::author
