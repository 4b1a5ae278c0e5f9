// SPDX-License-Identifier: MIT
#include "zoe/eval/frechet.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/math/symmetric_eigen.h"

namespace zoe::eval {
namespace {

using Matrix = std::vector<double>;  // [n × n], rows.

Matrix multiply(const Matrix& a, const Matrix& b, std::size_t n) {
  Matrix out(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += factor * b[k * n + j];
    }
  }
  return out;
}

// Of a symmetric matrix without negative eigenvalues; those below zero by rounding count as zero.
Matrix square_root(Matrix s, std::size_t n) {
  Matrix vectors(n * n);
  symmetric_eigen(n, s.data(), vectors.data());
  Matrix scaled = vectors;
  for (std::size_t i = 0; i < n; ++i) {
    const double root = std::sqrt(std::max(s[i * n + i], 0.0));
    for (std::size_t j = 0; j < n; ++j) scaled[i * n + j] *= root;
  }
  Matrix transposed(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) transposed[j * n + i] = vectors[i * n + j];
  }
  return multiply(transposed, scaled, n);
}

// Clips in a drawn order, and the rows of each.
class Clips {
 public:
  explicit Clips(const CodeSet& set) : set_(&set) {
    std::map<int, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < set.size(); ++i) rows[set.clips[i]].push_back(i);
    for (auto& entry : rows) rows_.push_back(std::move(entry.second));
  }
  int count() const { return static_cast<int>(rows_.size()); }

  // Clips alternate between the parts, so that sets of a few long clips still have halves of like sizes.
  std::vector<std::vector<float>> parts(std::size_t num_parts, Random random) const {
    std::vector<std::size_t> order(rows_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    random.shuffle(order);
    std::vector<std::vector<float>> out(num_parts);
    for (const std::size_t clip : order) {
      auto& smallest =
          *std::min_element(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
      append(clip, smallest);
    }
    return out;
  }
  // Rows of random clips, until there are at least `num_rows`, then cut to that number.
  std::vector<float> draw(std::size_t num_rows, Random random) const {
    std::vector<std::size_t> order(rows_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    random.shuffle(order);
    std::vector<float> out;
    for (const std::size_t clip : order) {
      if (out.size() >= num_rows * idx(set_->width)) break;
      append(clip, out);
    }
    out.resize(std::min(out.size(), num_rows * idx(set_->width)));
    return out;
  }

 private:
  void append(std::size_t clip, std::vector<float>& out) const {
    const std::size_t width = idx(set_->width);
    for (const std::size_t row : rows_[clip])
      out.insert(out.end(), set_->codes.begin() + static_cast<std::ptrdiff_t>(row * width),
                 set_->codes.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
  }

  const CodeSet* set_;
  std::vector<std::vector<std::size_t>> rows_;
};

Spread spread_of(const std::vector<double>& values) {
  Spread out;
  out.lowest = *std::min_element(values.begin(), values.end());
  out.highest = *std::max_element(values.begin(), values.end());
  for (const double value : values) out.mean += value / static_cast<double>(values.size());
  for (const double value : values) out.deviation += (value - out.mean) * (value - out.mean);
  out.deviation = std::sqrt(out.deviation / static_cast<double>(std::max<std::size_t>(values.size() - 1, 1)));
  return out;
}

double between(const std::vector<float>& a, const std::vector<float>& b, int width) {
  return frechet_distance(fit_gaussian(a, width), fit_gaussian(b, width));
}

// Value at 1 / rows = 0 of the least-squares line.
double at_infinity(const std::vector<double>& inverse_rows, const std::vector<double>& distances) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(distances.size());
  for (std::size_t i = 0; i < distances.size(); ++i) x += inverse_rows[i] / n, y += distances[i] / n;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    xx += (inverse_rows[i] - x) * (inverse_rows[i] - x);
    xy += (inverse_rows[i] - x) * (distances[i] - y);
  }
  return std::max(0.0, xx > 0 ? y - xy / xx * x : y);
}

}  // namespace

GaussianFit fit_gaussian(std::span<const float> rows, int width) {
  const std::size_t n = idx(width);
  ZOE_CHECK(width > 0 && rows.size() % n == 0 && rows.size() >= 2 * n, "fit_gaussian: at least two rows");
  GaussianFit out{width, rows.size() / n, std::vector<double>(n, 0.0), std::vector<double>(n * n, 0.0)};
  for (std::size_t i = 0; i < rows.size(); ++i) out.mean[i % n] += static_cast<double>(rows[i]);
  for (double& mean : out.mean) mean /= static_cast<double>(out.num_rows);
  std::vector<double> d(n);
  for (std::size_t row = 0; row < out.num_rows; ++row) {
    for (std::size_t i = 0; i < n; ++i) d[i] = static_cast<double>(rows[row * n + i]) - out.mean[i];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) out.covariance[i * n + j] += d[i] * d[j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = out.covariance[i * n + j] / static_cast<double>(out.num_rows - 1);
      out.covariance[i * n + j] = out.covariance[j * n + i] = value;
    }
  }
  return out;
}

double frechet_distance(const GaussianFit& a, const GaussianFit& b) {
  ZOE_CHECK(a.width == b.width, "frechet_distance: both sets have the same columns");
  const std::size_t n = idx(a.width);
  double distance = 0;
  for (std::size_t i = 0; i < n; ++i) {
    distance += (a.mean[i] - b.mean[i]) * (a.mean[i] - b.mean[i]);
    distance += a.covariance[i * n + i] + b.covariance[i * n + i];
  }
  const Matrix root = square_root(a.covariance, n);
  Matrix product = multiply(multiply(root, b.covariance, n), root, n);
  for (std::size_t i = 0; i < n; ++i) {  // Rounding: Jacobi's method needs a symmetric matrix.
    for (std::size_t j = 0; j < i; ++j)
      product[i * n + j] = product[j * n + i] = 0.5 * (product[i * n + j] + product[j * n + i]);
  }
  Matrix vectors(n * n);
  symmetric_eigen(n, product.data(), vectors.data());
  for (std::size_t i = 0; i < n; ++i) distance -= 2 * std::sqrt(std::max(product[i * n + i], 0.0));
  return std::max(distance, 0.0);
}

Result<FrechetReport> compare_sets(const CodeSet& made, const CodeSet& real, const FrechetOptions& options) {
  if (made.width != real.width || made.width <= 0)
    return Error{ErrorCode::kUsage, fmt::format("sets of {} and {} columns", made.width, real.width), {}};
  const Clips made_clips(made), real_clips(real);
  if (real_clips.count() < 4)
    return Error{ErrorCode::kInvalid,
                 fmt::format("{} clips to compare with: the floor needs at least 4", real_clips.count()),
                 {}};
  if (made.size() < 2)
    return Error{ErrorCode::kInvalid, "fewer than 2 windows to measure; a clip needs at least 0.5 s", {}};
  const int width = made.width;
  FrechetReport out;
  out.made_rows = made.size(), out.real_rows = real.size();
  out.made_clips = made_clips.count(), out.real_clips = real_clips.count();
  out.needed_rows = 10 * idx(width);
  out.distance = out.extrapolated = between(made.codes, real.codes, width);

  const std::size_t seeds = idx(std::max(options.num_seeds, 1));
  std::vector<double> floors(seeds), apart(seeds), half_rows(seeds), inverse, distances;
  const Random random(options.seed);
  ThreadPool::shared().parallel_for(seeds, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto halves = real_clips.parts(2, random.split(2 * i));
      floors[i] = between(halves[0], halves[1], width);
      half_rows[i] = static_cast<double>(halves[0].size() + halves[1].size()) / (2.0 * width);
      std::vector<float> part = made_clips.draw(halves[1].size() / idx(width), random.split(2 * i + 1));
      apart[i] = between(part, halves[0], width);
    }
  });
  out.floor = spread_of(floors);
  out.at_floor_size = spread_of(apart);
  for (const double rows : half_rows)
    out.floor_rows += static_cast<std::size_t>(rows / static_cast<double>(seeds) + 0.5);

  inverse.push_back(1.0 / static_cast<double>(std::min(made.size(), real.size())));
  distances.push_back(out.distance);
  const auto least_clips = static_cast<std::size_t>(std::min(out.made_clips, out.real_clips));
  for (std::size_t parts = 2; parts <= std::min<std::size_t>(4, least_clips); ++parts) {
    const auto a = made_clips.parts(parts, random.split(1000 + parts)),
               b = real_clips.parts(parts, random.split(2000 + parts));
    double mean = 0, rows = 0;
    for (std::size_t i = 0; i < parts; ++i) {
      if (a[i].size() < 2 * idx(width) || b[i].size() < 2 * idx(width)) return out;
      mean += between(a[i], b[i], width) / static_cast<double>(parts);
      rows += static_cast<double>(std::min(a[i].size(), b[i].size()) / idx(width)) / static_cast<double>(parts);
    }
    inverse.push_back(1 / rows);
    distances.push_back(mean);
  }
  out.extrapolated = at_infinity(inverse, distances);
  return out;
}

}  // namespace zoe::eval
