// SPDX-License-Identifier: MIT
// Part of Zoetrope. Dense regions of a map, with names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::eval {

struct MapCluster {
  std::string name;  // The group that is most frequent there beyond its share of all points; a second after " + ".
  Vec2 place;        // Its densest position.
  std::size_t num_points = 0;
};

// A region is what climbs to the same peak of the points' density. Regions with less than 1.5 % of all points are left
// out. group_of: [points] index into `groups`.
std::vector<MapCluster> find_clusters(std::span<const Vec2> points, std::span<const int> group_of,
                                      const std::vector<std::string>& groups);

}  // namespace zoe::eval
