// SPDX-License-Identifier: MIT
#include "zoe/eval/embedding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/frechet.h"
#include "zoe/math/symmetric_eigen.h"

namespace zoe::eval {
namespace {

float squared_distance(const float* a, const float* b, std::size_t width) {
  float sum = 0;
  for (std::size_t c = 0; c < width; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

// [n × k] indices and distances of nearest rows.
struct Neighbours {
  std::size_t k = 0;
  std::vector<int> index;
  std::vector<float> distance;
};

// clips, most_of_clip: see EmbeddingOptions. A row that finds too few others gets the nearest of its clip after all.
Neighbours find_neighbours(std::span<const float> rows, std::size_t width, std::size_t k,
                           std::span<const int> clips = {}, std::size_t most_of_clip = 0) {
  const std::size_t n = rows.size() / width;
  Neighbours out{std::min(k, n > 0 ? n - 1 : 0), {}, {}};
  out.index.resize(n * out.k);
  out.distance.resize(n * out.k);
  ThreadPool::shared().parallel_for(n, 32, [&](std::size_t begin, std::size_t end) {
    std::vector<std::pair<float, int>> others(n);
    for (std::size_t i = begin; i < end; ++i) {
      others.resize(n);
      for (std::size_t j = 0; j < n; ++j)
        others[j] = {squared_distance(&rows[i * width], &rows[j * width], width), static_cast<int>(j)};
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      // Pairs break ties by the index, so that the order is the same everywhere.
      if (!clips.empty()) {
        std::sort(others.begin(), others.end());
        std::size_t own = 0;
        std::stable_partition(others.begin(), others.end(), [&](const std::pair<float, int>& other) {
          return clips[static_cast<std::size_t>(other.second)] != clips[i] || ++own <= most_of_clip;
        });
        std::sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(out.k));
      } else {
        std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(out.k), others.end());
      }
      for (std::size_t e = 0; e < out.k; ++e) {
        out.index[i * out.k + e] = others[e].second;
        out.distance[i * out.k + e] = std::sqrt(others[e].first);
      }
    }
  });
  return out;
}

struct Edge {
  int a = 0, b = 0;
  float weight = 0;
};

// Membership of each neighbour: 1 for the nearest, falling so that all together count log2(k).
std::vector<float> memberships(const Neighbours& near, std::size_t row) {
  const std::size_t k = near.k;
  const float* distance = &near.distance[row * k];
  const double goal = std::log2(static_cast<double>(k) + 1e-9);
  const auto first = static_cast<double>(distance[0]);
  double low = 0, high = 1e9, scale = 1;
  for (int step = 0; step < 64; ++step) {
    double sum = 0;
    for (std::size_t e = 0; e < k; ++e) sum += std::exp(-(static_cast<double>(distance[e]) - first) / scale);
    (sum > goal ? high : low) = scale;
    scale = high >= 1e9 ? 2 * scale : 0.5 * (low + high);
  }
  std::vector<float> out(k);
  for (std::size_t e = 0; e < k; ++e)
    out[e] = static_cast<float>(std::exp(-(static_cast<double>(distance[e]) - first) / std::max(scale, 1e-9)));
  return out;
}

// Either end may have chosen the other: a + b - a b.
std::vector<Edge> make_edges(const Neighbours& near, std::size_t n) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<float> weights = memberships(near, i);
    for (std::size_t e = 0; e < near.k; ++e) {
      const int other = near.index[i * near.k + e], self = static_cast<int>(i);
      edges.push_back({std::min(self, other), std::max(self, other), weights[e]});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
    return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.weight < y.weight;
  });
  std::vector<Edge> joined;
  for (const Edge& edge : edges) {
    if (!joined.empty() && joined.back().a == edge.a && joined.back().b == edge.b) {
      joined.back().weight += edge.weight - joined.back().weight * edge.weight;
    } else {
      joined.push_back(edge);
    }
  }
  return joined;
}

// Similarity 1 / (1 + kA d^(2 kB)) in the plane: flat up to 0.1, then falling.
constexpr float kA = 1.577F, kB = 0.895F;

float clamped(float value) { return std::clamp(value, -4.0F, 4.0F); }

void lay_out(const std::vector<Edge>& edges, const EmbeddingOptions& options, std::vector<Vec2>& points) {
  constexpr int kRandomPairs = 5;
  float strongest = 0;
  for (const Edge& edge : edges) strongest = std::max(strongest, edge.weight);
  std::vector<float> due(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) due[e] = strongest / std::max(edges[e].weight, 1e-6F);
  std::vector<float> next = due;
  Random random = Random(options.seed).split(1);
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    const float rate = 1 - static_cast<float>(epoch - 1) / static_cast<float>(options.epochs);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (next[e] > static_cast<float>(epoch)) continue;
      next[e] += due[e];
      for (const bool back : {false, true}) {
        Vec2& self = points[idx(back ? edges[e].b : edges[e].a)];
        Vec2& other = points[idx(back ? edges[e].a : edges[e].b)];
        const float x = self.x - other.x, y = self.y - other.y, d2 = x * x + y * y;
        if (d2 > 0) {
          const float power = std::pow(d2, kB);
          const float pull = -2 * kA * kB * power / d2 / (1 + kA * power);
          self.x += rate * clamped(pull * x);
          self.y += rate * clamped(pull * y);
        }
        for (int i = 0; i < kRandomPairs; ++i) {
          const Vec2& far = points[random.below(points.size())];
          if (&far == &self) continue;
          const float fx = self.x - far.x, fy = self.y - far.y, f2 = fx * fx + fy * fy;
          const float push = 2 * kB / ((0.001F + f2) * (1 + kA * std::pow(f2, kB)));
          self.x += rate * (f2 > 0 ? clamped(push * fx) : 4.0F);
          self.y += rate * (f2 > 0 ? clamped(push * fy) : 4.0F);
        }
      }
    }
  }
}

}  // namespace

std::vector<int> nearest_rows(std::span<const float> rows, int width, int k) {
  ZOE_CHECK(width > 0 && rows.size() % idx(width) == 0 && k > 0, "nearest_rows: whole rows");
  return find_neighbours(rows, idx(width), idx(k)).index;
}

std::vector<Vec2> principal_plane(std::span<const float> rows, int width) {
  const std::size_t n = idx(width), count = rows.size() / n;
  std::vector<Vec2> out(count);
  if (count < 2) return out;
  GaussianFit fit = fit_gaussian(rows, width);
  std::vector<double> vectors(n * n);
  symmetric_eigen(n, fit.covariance.data(), vectors.data());
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return fit.covariance[a * n + a] > fit.covariance[b * n + b]; });
  const auto along = [&](std::size_t row, std::size_t component) {
    if (component >= n) return 0.0F;
    double sum = 0;
    for (std::size_t c = 0; c < n; ++c)
      sum += vectors[order[component] * n + c] * (static_cast<double>(rows[row * n + c]) - fit.mean[c]);
    return static_cast<float>(sum);
  };
  for (std::size_t i = 0; i < count; ++i) out[i] = {along(i, 0), along(i, 1)};
  return out;
}

std::vector<Vec2> embed_neighbours(std::span<const float> rows, int width, const EmbeddingOptions& options) {
  const std::size_t n = rows.size() / idx(width);
  std::vector<Vec2> points = principal_plane(rows, width);
  if (n < 4) return points;
  float largest = 1e-9F;
  for (const Vec2& p : points) largest = std::max({largest, std::abs(p.x), std::abs(p.y)});
  Random random(options.seed);
  for (Vec2& p : points) {  // A little apart, so that equal rows do not stay on one point.
    p.x = 10 * p.x / largest + random.uniform(-1e-3F, 1e-3F);
    p.y = 10 * p.y / largest + random.uniform(-1e-3F, 1e-3F);
  }
  ZOE_CHECK(options.clips.empty() || options.clips.size() == n, "embed_neighbours: one clip for each row");
  const Neighbours near = find_neighbours(rows, idx(width), idx(std::max(options.neighbours, 2)), options.clips,
                                          idx(std::max(options.most_of_clip, 0)));
  lay_out(make_edges(near, n), options, points);
  return points;
}

double trustworthiness(std::span<const float> rows, int width, std::span<const Vec2> points, int k) {
  const std::size_t n = points.size(), columns = idx(width), count = idx(k);
  ZOE_CHECK(n > 2 * count && rows.size() == n * columns, "trustworthiness: more than 2 k rows");
  std::vector<float> flat;
  for (const Vec2& p : points) flat.insert(flat.end(), {p.x, p.y});
  const Neighbours near = find_neighbours(flat, 2, count);
  std::vector<double> penalties(n, 0.0);
  ThreadPool::shared().parallel_for(n, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t e = 0; e < count; ++e) {
        const auto j = static_cast<std::size_t>(near.index[i * count + e]);
        const float distance = squared_distance(&rows[i * columns], &rows[j * columns], columns);
        std::size_t rank = 1;  // Among the rows: 1 is the nearest.
        for (std::size_t o = 0; o < n; ++o) {
          if (o != i && o != j && squared_distance(&rows[i * columns], &rows[o * columns], columns) < distance) ++rank;
        }
        if (rank > count) penalties[i] += static_cast<double>(rank - count);
      }
    }
  });
  const auto all = static_cast<double>(n), kept = static_cast<double>(count);
  return 1 - 2 / (all * kept * (2 * all - 3 * kept - 1)) * std::accumulate(penalties.begin(), penalties.end(), 0.0);
}

}  // namespace zoe::eval
