// SPDX-License-Identifier: MIT
#include "control/aabb_baseline.h"

#include <algorithm>

#include "zoe/core/index.h"

namespace zoe::bench {
namespace {

constexpr int kLarge = 64, kSmall = 16;

}  // namespace

AabbBaseline::AabbBaseline(std::span<const float> features, int num_dims)
    : features_(features),
      num_dims_(num_dims),
      num_frames_(static_cast<int>(features.size()) / num_dims),
      large_(boxes_of(kLarge)),
      small_(boxes_of(kSmall)) {}

AabbBaseline::Box AabbBaseline::boxes_of(int frames_a_box) const {
  const int count = (num_frames_ + frames_a_box - 1) / frames_a_box;
  Box box{std::vector<float>(idx(count * num_dims_), 1e30F), std::vector<float>(idx(count * num_dims_), -1e30F)};
  for (int f = 0; f < num_frames_; ++f) {
    for (int d = 0; d < num_dims_; ++d) {
      const float x = features_[idx(f * num_dims_ + d)];
      float& low = box.low[idx(f / frames_a_box * num_dims_ + d)];
      float& high = box.high[idx(f / frames_a_box * num_dims_ + d)];
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  return box;
}

control::Match AabbBaseline::find(std::span<const float> query, int skip_begin, int skip_end,
                                  control::Match best) const {
  const int n = num_dims_;
  // True where the box is nearer than the best.
  const auto is_near = [&](const Box& boxes, int index) {
    const float* low = boxes.low.data() + idx(index * n);
    const float* high = boxes.high.data() + idx(index * n);
    float cost = 0;
    for (int d = 0; d < n; ++d) {
      const float away = query[idx(d)] - std::clamp(query[idx(d)], low[d], high[d]);
      cost += away * away;
      if (cost >= best.cost) return false;
    }
    return true;
  };
  for (int f = 0; f < num_frames_;) {
    const int large_end = std::min((f / kLarge + 1) * kLarge, num_frames_);
    if (!is_near(large_, f / kLarge)) {
      f = large_end;
      continue;
    }
    while (f < large_end) {
      const int small_end = std::min((f / kSmall + 1) * kSmall, num_frames_);
      if (!is_near(small_, f / kSmall)) {
        f = small_end;
        continue;
      }
      for (; f < small_end; ++f) {
        if (f >= skip_begin && f < skip_end) continue;
        const float* row = features_.data() + idx(f * n);
        float cost = 0;
        for (int d = 0; d < n; ++d) {
          const float away = query[idx(d)] - row[d];
          cost += away * away;
          if (cost >= best.cost) break;
        }
        if (cost < best.cost) best = {f, cost};
      }
    }
  }
  return best;
}

}  // namespace zoe::bench
