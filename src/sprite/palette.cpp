// SPDX-License-Identifier: MIT
#include "zoe/sprite/palette.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "zoe/render/software/srgb.h"

namespace zoe::sprite {
namespace {

constexpr int kRounds = 24;

// The cube root by Newton's method: the C library's differ between machines.
double cube_root(double value) {
  if (value <= 0) return 0;
  double root = value > 1 ? value : 1.0;
  for (int i = 0; i < 20; ++i) root -= (root * root * root - value) / (3 * root * root);
  return root;
}

Rgb srgb_from_oklab(Vec3d lab) {
  const double l = lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z;
  const double m = lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z;
  const double s = lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z;
  const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  const auto byte = [](double linear) { return render::srgb_from_linear(static_cast<float>(linear)); };
  return {byte(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
          byte(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
          byte(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3)};
}

double square_distance(Vec3d a, Vec3d b) { return dot(a - b, a - b); }

struct Point {
  Vec3d lab;
  double weight = 0;
};

std::size_t nearest_of(std::span<const Vec3d> centers, Vec3d lab) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < centers.size(); ++i) {
    const double distance = square_distance(centers[i], lab);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

// Each next centre is the point with the largest weighted distance to those before.
std::vector<Vec3d> first_centers(std::span<const Point> points, std::size_t count) {
  std::vector<Vec3d> centers;
  const auto heaviest = std::max_element(points.begin(), points.end(),
                                         [](const Point& a, const Point& b) { return a.weight < b.weight; });
  centers.push_back(heaviest->lab);
  std::vector<double> distance(points.size(), std::numeric_limits<double>::infinity());
  while (centers.size() < count) {
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      distance[i] = std::min(distance[i], square_distance(points[i].lab, centers.back()));
      if (points[i].weight * distance[i] > points[farthest].weight * distance[farthest]) farthest = i;
    }
    if (distance[farthest] == 0) break;  // Fewer colours than asked for.
    centers.push_back(points[farthest].lab);
  }
  return centers;
}

}  // namespace

Vec3d oklab_from(Rgb color) {
  const double r = static_cast<double>(render::linear_from_srgb(color.r)),
               g = static_cast<double>(render::linear_from_srgb(color.g)),
               b = static_cast<double>(render::linear_from_srgb(color.b));
  const double l = cube_root(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = cube_root(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = cube_root(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

void ColorCounts::add(Rgb color) {
  Bin& bin = bins_[(static_cast<std::size_t>(color.r >> 3) << 10) | (static_cast<std::size_t>(color.g >> 3) << 5) |
                   static_cast<std::size_t>(color.b >> 3)];
  ++bin.count;
  bin.sum[0] += color.r;
  bin.sum[1] += color.g;
  bin.sum[2] += color.b;
}

std::vector<Rgb> ColorCounts::choose(int num_colors) const {
  std::vector<Point> points;
  for (const Bin& bin : bins_) {
    if (bin.count == 0) continue;
    const auto mean = [&](int k) { return static_cast<std::uint8_t>((bin.sum[k] + bin.count / 2) / bin.count); };
    points.push_back({oklab_from({mean(0), mean(1), mean(2)}), std::sqrt(static_cast<double>(bin.count))});
  }
  if (points.empty()) return {};
  std::vector<Vec3d> centers = first_centers(points, static_cast<std::size_t>(num_colors));
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Point> sums(centers.size());
    for (const Point& point : points) {
      Point& sum = sums[nearest_of(centers, point.lab)];
      sum.lab += point.lab * point.weight;
      sum.weight += point.weight;
    }
    for (std::size_t i = 0; i < centers.size(); ++i) {
      if (sums[i].weight > 0) centers[i] = sums[i].lab / sums[i].weight;
    }
  }
  std::sort(centers.begin(), centers.end(), [](Vec3d a, Vec3d b) { return a.x < b.x; });
  std::vector<Rgb> palette;
  for (const Vec3d center : centers) {
    const Rgb color = srgb_from_oklab(center);
    if (std::find(palette.begin(), palette.end(), color) == palette.end()) palette.push_back(color);
  }
  return palette;
}

PaletteMap::PaletteMap(std::span<const Rgb> palette) : table_(32768) {
  std::vector<Vec3d> centers;
  for (const Rgb color : palette) centers.push_back(oklab_from(color));
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const auto middle = [](std::size_t five) { return static_cast<std::uint8_t>((five << 3) | (five >> 2)); };
    const Rgb color{middle(i >> 10), middle((i >> 5) & 31), middle(i & 31)};
    table_[i] = static_cast<std::uint8_t>(nearest_of(centers, oklab_from(color)));
  }
}

}  // namespace zoe::sprite
