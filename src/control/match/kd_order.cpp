// SPDX-License-Identifier: MIT
#include "control/match/kd_order.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "control/match/search_kernels.h"

namespace zoe::control {
namespace {

using kernels::kBlock;

class KdSorter {
 public:
  KdSorter(std::span<const float> points, int num_axes)
      : points_(points), num_axes_(static_cast<std::size_t>(num_axes)) {}

  void sort(std::span<int> order) {
    if (order.size() <= kBlock) {
      std::sort(order.begin(), order.end());  // Any order works; this one is the same everywhere.
      return;
    }
    std::size_t unit = kBlock;
    while (unit * kBlock < order.size()) unit *= kBlock;
    const std::size_t units = (order.size() + unit - 1) / unit;
    const auto middle = static_cast<std::ptrdiff_t>(units / 2 * unit);
    const std::size_t axis = widest_axis(order);
    std::nth_element(order.begin(), order.begin() + middle, order.end(), [&](int a, int b) {
      const float x = at(a, axis), y = at(b, axis);
      return x < y || (x == y && a < b);
    });
    sort(order.first(static_cast<std::size_t>(middle)));
    sort(order.subspan(static_cast<std::size_t>(middle)));
  }

 private:
  float at(int point, std::size_t axis) const { return points_[static_cast<std::size_t>(point) * num_axes_ + axis]; }

  std::size_t widest_axis(std::span<const int> order) const {
    std::size_t widest = 0;
    double largest = -1;
    for (std::size_t axis = 0; axis < num_axes_; ++axis) {
      // A sample of the points is enough for large sets.
      const std::size_t step = order.size() / 4096 + 1;
      double sum = 0, squares = 0, count = 0;
      for (std::size_t i = 0; i < order.size(); i += step, ++count) {
        const double x = static_cast<double>(at(order[i], axis));
        sum += x;
        squares += x * x;
      }
      const double spread = squares / count - sum / count * (sum / count);
      if (spread > largest) {
        largest = spread;
        widest = axis;
      }
    }
    return widest;
  }

  std::span<const float> points_;
  std::size_t num_axes_;
};

}  // namespace

void sort_in_kd_order(std::span<const float> points, int num_axes, std::span<int> order) {
  KdSorter(points, num_axes).sort(order);
}

}  // namespace zoe::control
