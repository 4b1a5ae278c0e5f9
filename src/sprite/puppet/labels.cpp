// SPDX-License-Identifier: MIT
#include "sprite/puppet/labels.h"

#include <algorithm>
#include <vector>

#include "sprite/puppet/spread.h"

namespace zoe::sprite {
namespace {

// The strongest difference of a channel, 0 to 1.
float contrast(const render::Picture& figure, int x, int y, int u, int v) {
  const std::uint8_t *a = figure.pixel(x, y), *b = figure.pixel(u, v);
  int most = 0;
  for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(a[c] - b[c]));
  return static_cast<float>(most) / 255.0F;
}

// Cuts between limbs follow colours pixel by pixel and are ragged: each pixel takes the most frequent label around it.
void smooth_cuts(const Mask& mask, std::size_t num_labels, Grid<int>& labels) {
  const int reach = std::max(1, std::max(mask.width, mask.height) / 48);
  const int step = std::max(1, reach / 4);  // At most 81 votes, however large the drawing is.
  constexpr int kRounds = 2;
  std::vector<int> counts(num_labels);
  for (int round = 0; round < kRounds; ++round) {
    const Grid<int> before = labels;
    for (int y = 0; y < mask.height; ++y) {
      for (int x = 0; x < mask.width; ++x) {
        const int own = before.at(x, y);
        if (own < 0) continue;
        std::fill(counts.begin(), counts.end(), 0);
        bool mixed = false;
        for (int dy = -reach; dy <= reach; dy += step) {
          for (int dx = -reach; dx <= reach; dx += step) {
            if (dx * dx + dy * dy > reach * reach || mask.get(x + dx, y + dy) == 0) continue;
            const int label = before.at(x + dx, y + dy);
            if (label < 0) continue;
            ++counts[idx(label)];
            mixed |= label != own;
          }
        }
        if (!mixed) continue;
        const auto most = std::max_element(counts.begin(), counts.end());
        if (*most > counts[idx(own)]) labels.at(x, y) = static_cast<int>(most - counts.begin());
      }
    }
  }
}

}  // namespace

Grid<int> label_pixels(const render::Picture& figure, const Mask& mask, const PuppetRig& rig,
                       const std::vector<PuppetBone>& bones, std::vector<double>& radii) {
  const Grid<float> depth = depth_of(mask);
  Grid<int> labels(mask.width, mask.height, -1);
  Grid<float> costs(mask.width, mask.height, 1e30F);
  std::vector<int> starts;
  radii.assign(bones.size(), 1);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const Point from = rig.joints[idx(bones[b].from)].position, to = rig.joints[idx(bones[b].to)].position;
    const int steps = std::max(2, static_cast<int>(2 * distance(from, to)));
    std::vector<float> depths;
    for (int i = 0; i <= steps; ++i) {
      const Point p = mix(from, to, static_cast<double>(i) / steps);
      depths.push_back(depth.get(static_cast<int>(p.x), static_cast<int>(p.y)));
    }
    std::nth_element(depths.begin(), depths.begin() + steps / 2, depths.end());
    radii[b] = std::max(1.0, static_cast<double>(depths[idx(steps / 2)]));
    for (int i = 0; i <= steps; ++i) {
      const Point p = mix(from, to, static_cast<double>(i) / steps);
      const int x = static_cast<int>(p.x), y = static_cast<int>(p.y);
      if (mask.get(x, y) == 0) continue;
      const float cost = static_cast<float>(-0.85 * std::min(radii[b], static_cast<double>(depth.at(x, y))));
      if (cost >= costs.at(x, y)) continue;
      costs.at(x, y) = cost;
      labels.at(x, y) = static_cast<int>(b);
      starts.push_back(y * mask.width + x);
    }
  }
  // An edge from black to white is as long as a 25th of the figure.
  const float edge_cost = static_cast<float>(std::max(mask.width, mask.height)) / 25.0F;
  const auto x_of = [&](int cell) { return cell % mask.width; };
  const auto y_of = [&](int cell) { return cell / mask.width; };
  spread_costs(
      mask, starts, costs,
      [&](int from, int to, float length) {
        return length + edge_cost * contrast(figure, x_of(from), y_of(from), x_of(to), y_of(to));
      },
      [&](int from, int to) { labels.cells[idx(to)] = labels.cells[idx(from)]; });
  // Islands that no bone touches go with the nearest bone in a straight line.
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0 || labels.at(x, y) >= 0) continue;
      double nearest = 1e30;
      for (std::size_t b = 0; b < bones.size(); ++b) {
        const Point p{x + 0.5, y + 0.5}, from = rig.joints[idx(bones[b].from)].position,
                                         to = rig.joints[idx(bones[b].to)].position;
        const double apart = distance(p, mix(from, to, nearest_fraction(p, from, to)));
        if (apart < nearest) nearest = apart, labels.at(x, y) = static_cast<int>(b);
      }
    }
  }
  // Thin parts of few pixels would lose all of them.
  if (std::max(mask.width, mask.height) >= 64) smooth_cuts(mask, bones.size(), labels);
  return labels;
}

}  // namespace zoe::sprite
