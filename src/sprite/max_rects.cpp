// SPDX-License-Identifier: MIT
#include "sprite/max_rects.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace zoe::sprite {
namespace {

bool contains(const Rect& a, const Rect& b) {
  return b.x >= a.x && b.y >= a.y && b.x + b.width <= a.x + a.width && b.y + b.height <= a.y + a.height;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// The free space as rectangles that may overlap; each is as large as possible.
class FreeSpace {
 public:
  FreeSpace(int width, int height) : free_{{0, 0, width, height}} {}

  // The highest place, then the one with the least space beside it: sheets grow downwards evenly.
  std::optional<Rect> find(int width, int height) const {
    std::optional<Rect> best;
    int best_beside = 0;
    for (const Rect& space : free_) {
      if (space.width < width || space.height < height) continue;
      const int beside = space.width - width;
      if (best && (space.y > best->y || (space.y == best->y && beside > best_beside) ||
                   (space.y == best->y && beside == best_beside && space.x >= best->x)))
        continue;
      best = Rect{space.x, space.y, width, height};
      best_beside = beside;
    }
    return best;
  }

  void take(const Rect& used) {
    added_.clear();
    for (std::size_t i = 0; i < free_.size();) {
      const Rect space = free_[i];
      if (!overlap(space, used)) {
        ++i;
        continue;
      }
      free_[i] = free_.back();
      free_.pop_back();
      const int right = space.x + space.width, bottom = space.y + space.height;
      if (used.x > space.x) added_.push_back({space.x, space.y, used.x - space.x, space.height});
      if (used.x + used.width < right)
        added_.push_back({used.x + used.width, space.y, right - used.x - used.width, space.height});
      if (used.y > space.y) added_.push_back({space.x, space.y, space.width, used.y - space.y});
      if (used.y + used.height < bottom)
        added_.push_back({space.x, used.y + used.height, space.width, bottom - used.y - used.height});
    }
    for (std::size_t i = 0; i < added_.size(); ++i) {
      const Rect& space = added_[i];
      const bool inside =
          std::any_of(free_.begin(), free_.end(), [&](const Rect& other) { return contains(other, space); });
      bool twin = false;
      for (std::size_t k = 0; k < added_.size() && !twin; ++k)
        twin = k != i && contains(added_[k], space) && (k < i || !contains(space, added_[k]));
      if (!inside && !twin) free_.push_back(space);
    }
  }

 private:
  std::vector<Rect> free_, added_;
};

}  // namespace

std::optional<int> pack_rects(std::span<Rect> rects, int bin_width, int bin_height) {
  std::vector<std::size_t> order(rects.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (rects[a].height != rects[b].height) return rects[a].height > rects[b].height;
    return rects[a].width > rects[b].width;
  });
  FreeSpace space(bin_width, bin_height);
  int used = 0;
  for (const std::size_t i : order) {
    const std::optional<Rect> place = space.find(rects[i].width, rects[i].height);
    if (!place) return std::nullopt;
    rects[i] = *place;
    space.take(*place);
    used = std::max(used, place->y + place->height);
  }
  return used;
}

}  // namespace zoe::sprite
