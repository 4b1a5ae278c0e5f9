// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "nn/plan.h"

namespace zoe::nn {

std::size_t assign_offsets(std::vector<Slot>& slots, const std::vector<std::pair<int, int>>& uses) {
  // Largest first. Each goes into the lowest gap between those already placed that exist at the same time.
  std::vector<std::size_t> order(slots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return slots[a].floats() > slots[b].floats(); });
  std::vector<std::size_t> placed;
  std::size_t total = 0;
  for (const std::size_t slot : order) {
    if (slots[slot].constant != nullptr || slots[slot].local) continue;
    std::vector<std::pair<std::size_t, std::size_t>> taken;  // Begin, end.
    for (const std::size_t other : placed) {
      if (uses[other].first <= uses[slot].second && uses[slot].first <= uses[other].second) {
        taken.emplace_back(slots[other].offset, slots[other].offset + slots[other].floats());
      }
    }
    std::sort(taken.begin(), taken.end());
    std::size_t at = 0;
    for (const auto& [begin, end] : taken) {
      if (at + slots[slot].floats() <= begin) break;
      at = std::max(at, end);
    }
    slots[slot].offset = at;
    total = std::max(total, at + slots[slot].floats());
    placed.push_back(slot);
  }
  return total;
}

}  // namespace zoe::nn
