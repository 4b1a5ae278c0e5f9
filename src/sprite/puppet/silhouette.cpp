// SPDX-License-Identifier: MIT
#include "sprite/puppet/silhouette.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sprite/puppet/spread.h"

namespace zoe::sprite {
namespace {

constexpr int kBorder = 3;
constexpr double kSmallHole = 0.012;  // Of the figure's area: smaller ones are filled.
constexpr float kUnreached = 1e30F;

// Distances inside of the figure; cost_of(cell) multiplies the steps into a cell. previous: may be null.
template <typename CostOf>
Grid<float> spread(const Mask& mask, int start, const CostOf& cost_of, std::vector<int>* previous) {
  Grid<float> costs(mask.width, mask.height, kUnreached);
  if (previous != nullptr) previous->assign(mask.cells.size(), -1);
  costs.cells[idx(start)] = 0;
  spread_costs(
      mask, {start}, costs, [&](int, int to, float length) { return length * cost_of(to); },
      [&](int from, int to) {
        if (previous != nullptr) (*previous)[idx(to)] = from;
      });
  return costs;
}

int nearest_cell(const Mask& mask, Point p) {
  int best = -1;
  double nearest = 1e30;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0) continue;
      const double apart = distance({x + 0.5, y + 0.5}, p);
      if (apart < nearest) nearest = apart, best = y * mask.width + x;
    }
  }
  return best;
}

Point center_of(const Mask& mask, int cell) {
  return {cell % mask.width + 0.5, static_cast<double>(cell / mask.width) + 0.5};
}

}  // namespace

Silhouette silhouette_of(const render::Picture& figure) {
  Mask mask(figure.width, figure.height);
  for (std::size_t i = 0; i < mask.cells.size(); ++i) mask.cells[i] = figure.rgba[4 * i + 3] >= 64 ? 1 : 0;
  const Box box = box_of(mask);
  Silhouette shape;
  shape.scale = static_cast<double>(kSilhouetteSize) / std::max(1, std::max(box.width(), box.height()));
  const int width = std::max(1, static_cast<int>(std::ceil(box.width() * shape.scale))),
            height = std::max(1, static_cast<int>(std::ceil(box.height() * shape.scale)));
  shape.origin = {kBorder - box.left * shape.scale, kBorder - box.top * shape.scale};
  shape.mask = Mask(width + 2 * kBorder, height + 2 * kBorder);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      // A pixel belongs to the figure where a quarter of 4 × 4 samples do: thin lines of large drawings stay.
      int count = 0;
      for (int k = 0; k < 16; ++k) {
        const int u = box.left + static_cast<int>((x + (k % 4 + 0.5) / 4) / shape.scale);
        const int v = box.top + static_cast<int>((y + (static_cast<double>(k / 4) + 0.5) / 4) / shape.scale);
        count += mask.get(u, v);
      }
      shape.mask.at(x + kBorder, y + kBorder) = count >= 5 ? 1 : 0;
    }
  }
  // Small holes are gaps between lines.
  const int area = area_of(shape.mask);
  Mask holes = without_holes(shape.mask);
  for (std::size_t i = 0; i < holes.cells.size(); ++i) holes.cells[i] = holes.cells[i] != 0 && shape.mask.cells[i] == 0;
  std::vector<int> sizes;
  const Grid<int> numbers = parts_of(holes, sizes);
  for (std::size_t i = 0; i < holes.cells.size(); ++i) {
    if (numbers.cells[i] > 0 && sizes[idx(numbers.cells[i] - 1)] < kSmallHole * area) shape.mask.cells[i] = 1;
  }
  // Thinning may have cut thin limbs: the largest part stays.
  const Grid<int> parts = parts_of(shape.mask, sizes);
  if (sizes.size() > 1) {
    const int largest = static_cast<int>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin()) + 1;
    for (std::size_t i = 0; i < shape.mask.cells.size(); ++i)
      if (parts.cells[i] != largest) shape.mask.cells[i] = 0;
  }
  shape.depth = depth_of(shape.mask);
  shape.box = box_of(shape.mask);
  return shape;
}

std::vector<Tip> find_tips(const Silhouette& shape, Point center, double min_length) {
  const Mask& mask = shape.mask;
  const int start = nearest_cell(mask, center);
  if (start < 0) return {};
  const Grid<float> costs = spread(
      mask, start, [](int) { return 1.0F; }, nullptr);
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(mask.cells.size()); ++i)
    if (costs.cells[idx(i)] < kUnreached) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return costs.cells[idx(a)] != costs.cells[idx(b)] ? costs.cells[idx(a)] > costs.cells[idx(b)] : a < b;
  });
  // Cells from the farthest inwards. Where two connected sets meet, the one with the nearer tip ends there.
  std::vector<int> set(mask.cells.size(), -1), peak(mask.cells.size(), -1);
  const auto root = [&](int i) {
    while (set[idx(i)] != i) i = set[idx(i)] = set[idx(set[idx(i)])];
    return i;
  };
  std::vector<Tip> tips;
  for (const int cell : order) {
    set[idx(cell)] = cell;
    peak[idx(cell)] = cell;
    const int x = cell % mask.width, y = cell / mask.width;
    for (int k = 0; k < 9; ++k) {
      const int u = x + k % 3 - 1, v = y + k / 3 - 1;
      if (!mask.inside(u, v) || set[idx(v * mask.width + u)] < 0) continue;
      int a = root(cell), b = root(v * mask.width + u);
      if (a == b) continue;
      if (costs.cells[idx(peak[idx(a)])] > costs.cells[idx(peak[idx(b)])]) std::swap(a, b);
      const double tall =
          static_cast<double>(costs.cells[idx(peak[idx(a)])]) - static_cast<double>(costs.cells[idx(cell)]);
      if (tall >= min_length) tips.push_back({center_of(mask, peak[idx(a)]), center_of(mask, cell), tall});
      set[idx(a)] = b;
    }
  }
  if (!order.empty()) {
    const int last = peak[idx(root(order.front()))];
    tips.push_back({center_of(mask, last), center, static_cast<double>(costs.cells[idx(last)])});
  }
  std::stable_sort(tips.begin(), tips.end(), [](const Tip& a, const Tip& b) { return a.length > b.length; });
  return tips;
}

std::vector<Point> medial_path(const Silhouette& shape, Point from, Point to) {
  const int start = nearest_cell(shape.mask, to), end = nearest_cell(shape.mask, from);
  std::vector<int> previous;
  // Steps in the middle of a limb are cheap.
  spread(
      shape.mask, start,
      [&](int cell) {
        const float depth = shape.depth.cells[idx(cell)];
        return 1.0F + 12.0F / (depth * depth);
      },
      &previous);
  std::vector<Point> path{from};
  for (int cell = end; cell >= 0 && cell != start; cell = previous[idx(cell)])
    path.push_back(center_of(shape.mask, cell));
  path.push_back(to);
  return path;
}

Point along(const std::vector<Point>& path, double fraction) {
  double total = 0;
  for (std::size_t i = 1; i < path.size(); ++i) total += distance(path[i - 1], path[i]);
  double left = total * fraction;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double step = distance(path[i - 1], path[i]);
    if (left <= step && step > 0) return mix(path[i - 1], path[i], left / step);
    left -= step;
  }
  return path.back();
}

std::vector<Peak> find_peaks(const std::vector<double>& values, double min_height) {
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[idx(a)] > values[idx(b)]; });
  std::vector<int> set(values.size(), -1), peak(values.size(), -1);
  const auto root = [&](int i) {
    while (set[idx(i)] != i) i = set[idx(i)];
    return i;
  };
  std::vector<Peak> peaks;
  for (const int i : order) {
    set[idx(i)] = peak[idx(i)] = i;
    for (const int k : {i - 1, i + 1}) {
      if (k < 0 || k >= static_cast<int>(values.size()) || set[idx(k)] < 0) continue;
      int a = root(i), b = root(k);
      if (a == b) continue;
      if (values[idx(peak[idx(a)])] > values[idx(peak[idx(b)])]) std::swap(a, b);
      const double tall = values[idx(peak[idx(a)])] - values[idx(i)];
      if (tall >= min_height && tall > 0) peaks.push_back({peak[idx(a)], tall});
      set[idx(a)] = b;
    }
  }
  if (!order.empty()) {
    const int last = peak[idx(root(order.front()))];
    peaks.push_back({last, values[idx(last)]});
  }
  std::sort(peaks.begin(), peaks.end(), [](const Peak& a, const Peak& b) { return a.index < b.index; });
  return peaks;
}

double symmetry_of(const Silhouette& shape) {
  const int area = area_of(shape.mask);
  double best = 0;
  const int middle = shape.box.left + shape.box.right;
  for (int twice = middle - shape.box.width() / 4; twice <= middle + shape.box.width() / 4; ++twice) {
    int both = 0;
    for (int y = shape.box.top; y < shape.box.bottom; ++y) {
      for (int x = shape.box.left; x < shape.box.right; ++x)
        both += shape.mask.at(x, y) != 0 && shape.mask.get(twice - 1 - x, y) != 0 ? 1 : 0;
    }
    best = std::max(best, static_cast<double>(both) / std::max(1, area));
  }
  return best;
}

}  // namespace zoe::sprite
