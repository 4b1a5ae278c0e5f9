// SPDX-License-Identifier: MIT
#include "sprite/puppet/labels.h"

#include <algorithm>
#include <queue>

namespace zoe::sprite {
namespace {

struct LabelVisit {
  float cost;
  int cell;
  bool operator<(const LabelVisit& other) const { return cost != other.cost ? cost > other.cost : cell > other.cell; }
};

// The strongest difference of a channel, 0 to 1.
float contrast(const render::Picture& figure, int x, int y, int u, int v) {
  const std::uint8_t *a = figure.pixel(x, y), *b = figure.pixel(u, v);
  int most = 0;
  for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(a[c] - b[c]));
  return static_cast<float>(most) / 255.0F;
}

}  // namespace

Grid<int> label_pixels(const render::Picture& figure, const Mask& mask, const PuppetRig& rig,
                       const std::vector<PuppetBone>& bones, std::vector<double>& radii) {
  const Grid<float> depth = depth_of(mask);
  Grid<int> labels(mask.width, mask.height, -1);
  Grid<float> costs(mask.width, mask.height, 1e30F);
  std::priority_queue<LabelVisit> queue;
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
      queue.push({cost, y * mask.width + x});
    }
  }
  // An edge from black to white is as long as a 25th of the figure.
  const float edge_cost = static_cast<float>(std::max(mask.width, mask.height)) / 25.0F;
  const auto spread = [&] {
    while (!queue.empty()) {
      const LabelVisit visit = queue.top();
      queue.pop();
      if (visit.cost > costs.cells[idx(visit.cell)]) continue;
      const int x = visit.cell % mask.width, y = visit.cell / mask.width;
      for (int k = 0; k < 9; ++k) {
        const int dx = k % 3 - 1, dy = k / 3 - 1;
        if ((dx == 0 && dy == 0) || mask.get(x + dx, y + dy) == 0) continue;
        const float step = dx != 0 && dy != 0 ? 1.41421356F : 1.0F;
        const float cost = visit.cost + step + edge_cost * contrast(figure, x, y, x + dx, y + dy);
        if (cost >= costs.at(x + dx, y + dy)) continue;
        costs.at(x + dx, y + dy) = cost;
        labels.at(x + dx, y + dy) = labels.at(x, y);
        queue.push({cost, (y + dy) * mask.width + x + dx});
      }
    }
  };
  spread();
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
  return labels;
}

}  // namespace zoe::sprite
