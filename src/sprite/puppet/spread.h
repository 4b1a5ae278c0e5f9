// SPDX-License-Identifier: MIT
// Part of Zoetrope. The cheapest paths inside of a figure from some cells to all others (Dijkstra 1959).
#pragma once

#include <queue>
#include <vector>

#include "sprite/puppet/mask.h"

namespace zoe::sprite {

// costs: what the start cells cost; 1e30 for the others, which get the cost of their cheapest path. step_cost(from, to,
// length): of a step between neighbours, length 1 or the square root of 2, above 0. on_step(from, to): each time that a
// cheaper path to `to` is found.
template <typename StepCost, typename OnStep>
void spread_costs(const Mask& mask, const std::vector<int>& starts, Grid<float>& costs, const StepCost& step_cost,
                  const OnStep& on_step) {
  struct Visit {
    float cost;
    int cell;
    bool operator<(const Visit& other) const {
      return cost != other.cost ? cost > other.cost : cell > other.cell;  // The least first.
    }
  };
  std::priority_queue<Visit> queue;
  for (const int start : starts) queue.push({costs.cells[idx(start)], start});
  while (!queue.empty()) {
    const Visit visit = queue.top();
    queue.pop();
    if (visit.cost > costs.cells[idx(visit.cell)]) continue;
    const int x = visit.cell % mask.width, y = visit.cell / mask.width;
    for (int k = 0; k < 9; ++k) {
      const int dx = k % 3 - 1, dy = k / 3 - 1;
      if ((dx == 0 && dy == 0) || mask.get(x + dx, y + dy) == 0) continue;
      const int next = (y + dy) * mask.width + x + dx;
      const float cost = visit.cost + step_cost(visit.cell, next, dx != 0 && dy != 0 ? 1.41421356F : 1.0F);
      if (cost >= costs.cells[idx(next)]) continue;
      costs.cells[idx(next)] = cost;
      on_step(visit.cell, next);
      queue.push({cost, next});
    }
  }
}

}  // namespace zoe::sprite
