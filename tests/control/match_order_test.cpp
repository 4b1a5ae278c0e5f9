// SPDX-License-Identifier: MIT
// What makes the search fast and not only right: the order of frames, and the axes that tell most.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

#include "control/match/kd_order.h"
#include "control/match/principal_axes.h"

namespace zoe::control {
namespace {

struct Cloud {
  int axes;
  std::vector<float> points;

  float at(int point, int axis) const { return points[static_cast<std::size_t>(point * axes + axis)]; }
  // Variance along an axis, of some of the points.
  double spread(std::span<const int> order, int axis) const {
    double mean = 0, squares = 0;
    for (const int p : order) mean += static_cast<double>(at(p, axis)) / static_cast<double>(order.size());
    for (const int p : order) squares += std::pow(static_cast<double>(at(p, axis)) - mean, 2);
    return squares / static_cast<double>(order.size());
  }
};

Cloud random_cloud(int count, std::vector<float> scales, unsigned seed) {
  Random random(seed);
  Cloud cloud{static_cast<int>(scales.size()), {}};
  for (int i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < scales.size(); ++k) {
      cloud.points.push_back(scales[k] * random.uniform(-1, 1) + 5 * static_cast<float>(k));
    }
  }
  return cloud;
}

// Halves at a whole number of blocks (of 16, 256, …), across the axis of the largest spread, down to one block.
void expect_halves(const Cloud& cloud, std::span<const int> order) {
  if (order.size() <= 16) {
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    return;
  }
  std::size_t unit = 16;
  while (unit * 16 < order.size()) unit *= 16;
  const std::size_t middle = (order.size() + unit - 1) / unit / 2 * unit;
  ASSERT_GT(middle, 0U);
  int widest = 0;
  for (int axis = 1; axis < cloud.axes; ++axis) {
    if (cloud.spread(order, axis) > cloud.spread(order, widest)) widest = axis;
  }
  float low = -1e9F, high = 1e9F;
  for (std::size_t i = 0; i < order.size(); ++i) {
    float& bound = i < middle ? low : high;
    bound = i < middle ? std::max(bound, cloud.at(order[i], widest)) : std::min(bound, cloud.at(order[i], widest));
  }
  EXPECT_LE(low, high) << order.size() << " points across axis " << widest;
  expect_halves(cloud, order.first(middle));
  expect_halves(cloud, order.subspan(middle));
}

TEST(KdOrder, HalvesAcrossTheWidestAxis) {
  for (const int count : {5, 16, 17, 100, 300, 1000}) {
    const Cloud cloud = random_cloud(count, {1, 3, 0.5F}, static_cast<unsigned>(count));
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.rbegin(), order.rend(), 0);
    sort_in_kd_order(cloud.points, 3, order);
    std::vector<int> all = order;
    std::sort(all.begin(), all.end());
    for (int i = 0; i < count; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], i) << "each once";
    expect_halves(cloud, order);
  }
}

TEST(KdOrder, EqualPointsGoByTheirNumber) {
  const std::vector<float> points(64, 2.5F);
  std::vector<int> order(64);
  std::iota(order.rbegin(), order.rend(), 0);
  sort_in_kd_order(points, 1, order);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

// Points spread along known perpendicular directions: found again, the largest first, with their variances.
TEST(PrincipalAxes, FindDirectionsAndVariances) {
  Random random(4);
  const double c = std::cos(0.7), s = std::sin(0.7);
  const double directions[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  const float sizes[3] = {0.5F, 3, 1};
  std::vector<float> points;
  std::vector<int> chosen;
  for (int i = 0; i < 4000; ++i) {
    double p[3] = {10, -4, 2};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto along = static_cast<double>(sizes[k] * random.uniform(-1, 1));
      for (std::size_t d = 0; d < 3; ++d) p[d] += along * directions[k][d];
    }
    const bool counts = i % 4 != 0;
    for (std::size_t d = 0; d < 3; ++d)
      points.push_back(counts ? static_cast<float>(p[d]) : 1e3F);  // Others are far away.
    if (counts) chosen.push_back(i);
  }
  const PrincipalAxes found = principal_axes(points, 3, chosen);
  EXPECT_NEAR(found.means[0], 10, 0.1);
  EXPECT_NEAR(found.means[1], -4, 0.1);
  EXPECT_NEAR(found.means[2], 2, 0.1);
  const std::size_t order[3] = {1, 2, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    const double size = static_cast<double>(sizes[order[i]]);
    EXPECT_NEAR(found.variances[i], size * size / 3, 0.06 * size * size / 3) << i;  // Of an even spread over ±size.
    double along = 0, square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      along += found.axes[3 * i + d] * directions[order[i]][d];
      square += found.axes[3 * i + d] * found.axes[3 * i + d];
    }
    EXPECT_NEAR(std::abs(along), 1, 0.01) << i;
    EXPECT_NEAR(square, 1, 1e-9) << i;
  }
  const PrincipalAxes none = principal_axes(points, 3, {});
  EXPECT_EQ(none.variances, (std::vector<double>{0, 0, 0}));
}

// Any number of dims, their spreads in any order: sorted, and each variance is that of the points along its axis.
TEST(PrincipalAxes, AreSortedByTheirVariances) {
  for (const std::size_t n : {2U, 5U, 9U}) {
    Random random(static_cast<std::uint64_t>(n));
    std::vector<float> points;
    std::vector<int> chosen;
    for (int i = 0; i < 600; ++i) {
      const float common = random.uniform(-1, 1);
      for (std::size_t k = 0; k < n; ++k)
        points.push_back(static_cast<float>((7 * k) % n + 1) * random.uniform(-1, 1) + (k % 2 == 0 ? common : 0.0F));
      chosen.push_back(i);
    }
    const PrincipalAxes found = principal_axes(points, static_cast<int>(n), chosen);
    ASSERT_EQ(found.variances.size(), n);
    for (std::size_t a = 0; a < n; ++a) {
      EXPECT_GE(found.variances[a > 0 ? a - 1 : 0], found.variances[a]) << n;
      double sum = 0;
      for (const int point : chosen) {
        double along = 0;
        for (std::size_t k = 0; k < n; ++k)
          along += found.axes[a * n + k] *
                   (static_cast<double>(points[static_cast<std::size_t>(point) * n + k]) - found.means[k]);
        sum += along * along / 600;
      }
      EXPECT_NEAR(sum, found.variances[a], 1e-6 + 1e-6 * sum) << n << " axis " << a;
    }
  }
}

}  // namespace
}  // namespace zoe::control
