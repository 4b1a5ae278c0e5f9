// SPDX-License-Identifier: MIT
#include "zoe/eval/map_clusters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "zoe/core/check.h"
#include "zoe/core/index.h"

namespace zoe::eval {
namespace {

using Density = std::vector<float>;  // [cells × cells]

// Fewer points need larger cells.
int num_cells(std::size_t num_points) {
  return std::clamp(static_cast<int>(0.85 * std::sqrt(static_cast<double>(num_points))), 12, 48);
}

void blur(Density& density, int cells) {
  constexpr std::array<float, 3> kKernel{0.4F, 0.24F, 0.06F};  // Centre, one and two cells away.
  for (const bool along_x : {true, false}) {
    Density out(density.size(), 0.0F);
    for (int y = 0; y < cells; ++y) {
      for (int x = 0; x < cells; ++x) {
        for (int d = -2; d <= 2; ++d) {
          const int fx = along_x ? x + d : x, fy = along_x ? y : y + d;
          if (fx < 0 || fy < 0 || fx >= cells || fy >= cells) continue;
          out[idx(y * cells + x)] += kKernel[idx(std::abs(d))] * density[idx(fy * cells + fx)];
        }
      }
    }
    density = std::move(out);
  }
}

// The peak that each cell climbs to, by its steepest neighbour.
std::vector<int> find_peaks(const Density& density, int cells) {
  std::vector<int> up(density.size());
  for (int y = 0; y < cells; ++y) {
    for (int x = 0; x < cells; ++x) {
      int best = y * cells + x;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (x + dx < 0 || y + dy < 0 || x + dx >= cells || y + dy >= cells) continue;
          const int other = (y + dy) * cells + x + dx;
          if (density[idx(other)] > density[idx(best)]) best = other;
        }
      }
      up[idx(y * cells + x)] = best;
    }
  }
  for (int& cell : up) {
    while (up[idx(cell)] != cell) cell = up[idx(cell)];
  }
  return up;
}

std::string name_of(const std::vector<std::size_t>& counts, std::size_t size, const std::vector<std::size_t>& totals,
                    std::size_t all, const std::vector<std::string>& groups) {
  std::vector<std::pair<double, std::size_t>> scores;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (counts[g] == 0) continue;
    const double share = static_cast<double>(counts[g]) / static_cast<double>(size);
    const double usual = static_cast<double>(totals[g]) / static_cast<double>(all);
    scores.emplace_back(-share * std::log(share / usual + 1), g);
  }
  std::sort(scores.begin(), scores.end());
  std::string name = groups[scores[0].second];
  if (scores.size() > 1 && 4 * counts[scores[1].second] > size) name += " + " + groups[scores[1].second];
  return name;
}

}  // namespace

std::vector<MapCluster> find_clusters(std::span<const Vec2> points, std::span<const int> group_of,
                                      const std::vector<std::string>& groups) {
  ZOE_CHECK(points.size() == group_of.size(), "find_clusters: one group for each point");
  if (points.empty()) return {};
  const int cells = num_cells(points.size());
  float low_x = points[0].x, low_y = points[0].y, high_x = low_x, high_y = low_y;
  std::vector<std::size_t> totals(groups.size(), 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    low_x = std::min(low_x, points[i].x), high_x = std::max(high_x, points[i].x);
    low_y = std::min(low_y, points[i].y), high_y = std::max(high_y, points[i].y);
    ++totals[idx(group_of[i])];
  }
  const float cell = std::max({high_x - low_x, high_y - low_y, 1e-6F}) / static_cast<float>(cells);
  const auto cell_of = [&](Vec2 place) {
    const auto at = [&](float value, float low) { return std::min(static_cast<int>((value - low) / cell), cells - 1); };
    return at(place.y, low_y) * cells + at(place.x, low_x);
  };
  Density density(idx(cells * cells), 0.0F);
  for (const Vec2& point : points) density[idx(cell_of(point))] += 1;
  blur(density, cells);
  const std::vector<int> peak = find_peaks(density, cells);
  std::map<int, std::vector<std::size_t>> counts;  // By peak.
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto& list = counts[peak[idx(cell_of(points[i]))]];
    list.resize(groups.size(), 0);
    ++list[idx(group_of[i])];
  }
  std::vector<MapCluster> out;
  for (const auto& [at, list] : counts) {
    std::size_t size = 0;
    for (const std::size_t count : list) size += count;
    if (size * 200 < points.size() * 3) continue;
    const Vec2 place{low_x + cell * (static_cast<float>(at % cells) + 0.5F),
                     low_y + cell * (static_cast<float>(at / cells) + 0.5F)};
    out.push_back({name_of(list, size, totals, points.size(), groups), place, size});
  }
  return out;
}

}  // namespace zoe::eval
