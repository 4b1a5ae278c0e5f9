// SPDX-License-Identifier: MIT
#include "ground/grid_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace zoe::ground {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

float at(const HeightGrid& grid, int column, int row) {
  return grid.heights_m[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.num_x) +
                        static_cast<std::size_t>(column)];
}

// Position of a coordinate between `num` corners: cell index and the fraction of the distance to the next corner.
struct Cell {
  int index = 0;
  float share = 0;
};
Cell cell_of(float coordinate, float origin, float cell_m, int num) {
  const float scaled = (coordinate - origin) / cell_m;
  // Not std::clamp: NaN becomes 0 here.
  const float inside = scaled > 0 ? std::min(scaled, static_cast<float>(num - 1)) : 0.0F;
  const int index = std::min(static_cast<int>(inside), num - 2);
  return {index, inside - static_cast<float>(index)};
}

// One coordinate along a ray, in cells. Cell -1 is before the first corner, cell num - 1 behind the last.
class Axis {
 public:
  Axis(double start_cells, double cells_a_metre, int num)
      : start_(start_cells), speed_(cells_a_metre), num_(num), step_(cells_a_metre > 0 ? 1 : -1) {}

  void start_at(double t) {
    cell_ = static_cast<int>(std::clamp(std::floor(start_ + speed_ * t), -1.0, static_cast<double>(num_ - 1)));
  }
  // Distance at which the ray leaves the cell. Infinite when it never does.
  double exit() const {
    const bool last = speed_ == 0 || (step_ > 0 ? cell_ == num_ - 1 : cell_ == -1);
    return last ? kInfinity : (cell_ + (step_ > 0 ? 1 : 0) - start_) / speed_;
  }
  void advance() { cell_ += step_; }

  bool inside() const { return cell_ >= 0 && cell_ < num_ - 1; }
  // Of the cell whose heights hold here, and the fraction of the distance through it.
  int index() const { return std::clamp(cell_, 0, num_ - 2); }
  double share(double t) const { return inside() ? start_ + speed_ * t - cell_ : cell_ < 0 ? 0.0 : 1.0; }
  double share_speed() const { return inside() ? speed_ : 0.0; }

 private:
  double start_, speed_;
  int num_, step_, cell_ = 0;
};

// The height of the ray above a bilinear cell is c + b s + a s², s metres after its entry.
struct Clearance {
  double a = 0, b = 0, c = 0;

  double at(double s) const { return a == 0 && b == 0 ? c : c + s * (b + s * a); }
  // The smaller of the roots in [0, end]. Negative when there is none.
  double first_root(double end) const {
    double roots[2] = {-1, -1};
    if (std::abs(a) * end * end < 1e-14 * std::abs(b) * end || a == 0) {
      if (b != 0) roots[0] = -c / b;
    } else {
      const double under = b * b - 4 * a * c;
      if (under < 0) return -1;
      // Avoids the difference of nearly equal numbers.
      const double q = -0.5 * (b + std::copysign(std::sqrt(under), b));
      roots[0] = q / a;
      if (q != 0) roots[1] = c / q;
    }
    double first = -1;
    for (const double root : roots) {
      if (root >= 0 && root <= end && (first < 0 || root < first)) first = root;
    }
    return first;
  }
};

Clearance clearance(const HeightGrid& grid, const Axis& x, const Axis& z, const Ray& ray, double t) {
  const int column = x.index(), row = z.index();
  const double h00 = at(grid, column, row), h10 = at(grid, column + 1, row), h01 = at(grid, column, row + 1),
               h11 = at(grid, column + 1, row + 1);
  const double along_x = h10 - h00, along_z = h01 - h00, twist = h00 - h10 - h01 + h11;
  const double u = x.share(t), v = z.share(t), du = x.share_speed(), dv = z.share_speed();
  Clearance out;
  out.a = -twist * du * dv;
  out.b = ray.direction.y - along_x * du - along_z * dv - twist * (u * dv + v * du);
  out.c = ray.at(t).y - (h00 + along_x * u + along_z * v + twist * u * v);
  return out;
}

}  // namespace

HeightRange height_range(const HeightGrid& grid) {
  const auto [low, high] = std::minmax_element(grid.heights_m.begin(), grid.heights_m.end());
  return {*low, *high};
}

float height_of(const HeightGrid& grid, float x, float z) noexcept {
  const auto [column, u] = cell_of(x, grid.origin_x_m, grid.cell_m, grid.num_x);
  const auto [row, v] = cell_of(z, grid.origin_z_m, grid.cell_m, grid.num_z);
  const float near_left = at(grid, column, row), far_left = at(grid, column, row + 1);
  const float near = near_left + (at(grid, column + 1, row) - near_left) * u;
  const float far = far_left + (at(grid, column + 1, row + 1) - far_left) * u;
  return near + (far - near) * v;
}

Vec3 normal_of(const HeightGrid& grid, float x, float z) noexcept {
  const auto [column, u] = cell_of(x, grid.origin_x_m, grid.cell_m, grid.num_x);
  const auto [row, v] = cell_of(z, grid.origin_z_m, grid.cell_m, grid.num_z);
  const float h00 = at(grid, column, row), h10 = at(grid, column + 1, row), h01 = at(grid, column, row + 1),
              h11 = at(grid, column + 1, row + 1);
  // Beyond the border the height is constant: no slope in that direction.
  const auto inside = [&](float p, float origin, int num) {
    return p >= origin && p <= origin + grid.cell_m * static_cast<float>(num - 1);
  };
  const float dx = inside(x, grid.origin_x_m, grid.num_x) ? (h10 - h00) + (h11 - h01 - (h10 - h00)) * v : 0;
  const float dz = inside(z, grid.origin_z_m, grid.num_z) ? (h01 - h00) + (h11 - h10 - (h01 - h00)) * u : 0;
  return normalized(Vec3{-dx, grid.cell_m, -dz}, {0, 1, 0});
}

std::optional<SurfaceHit> cast(const HeightGrid& grid, HeightRange range, const Ray& ray) noexcept {
  // Only between the lowest and the highest height a hit is possible.
  double t = 0, end = ray.max_distance_m;
  const double low = range.low - ray.origin.y, high = range.high - ray.origin.y, dy = ray.direction.y;
  if (dy == 0) {
    if (low > 0 || high < 0) return std::nullopt;
  } else {
    t = std::max(t, std::min(low / dy, high / dy));
    end = std::min(end, std::max(low / dy, high / dy));
    // A level grid has no height range: rounding must not lose it.
    if (t > end && t - end > 1e-12 * std::abs(t)) return std::nullopt;
    if (t > ray.max_distance_m) return std::nullopt;
    end = std::max(t, end);
  }

  const double cell = grid.cell_m;
  Axis x((ray.origin.x - grid.origin_x_m) / cell, ray.direction.x / cell, grid.num_x);
  Axis z((ray.origin.z - grid.origin_z_m) / cell, ray.direction.z / cell, grid.num_z);
  x.start_at(t);
  z.start_at(t);
  double side = 0;  // Above 0: the ray comes from above.
  for (;;) {
    const double exit_x = x.exit(), exit_z = z.exit(), next = std::max(t, std::min({exit_x, exit_z, end}));
    const Clearance above = clearance(grid, x, z, ray, t);
    if (side == 0) side = above.c != 0 ? above.c : -dy;
    // A change of side between two cells is rounding at their common edge, and counts as a hit.
    double hit = above.c * side <= 0 ? 0 : above.first_root(next - t);
    if (hit < 0 && std::isfinite(next) && above.at(next - t) * side < 0) hit = next - t;
    if (hit >= 0) {
      const Vec3d p = ray.at(t + hit);
      return SurfaceHit{t + hit, normal_of(grid, static_cast<float>(p.x), static_cast<float>(p.z))};
    }
    if (next >= end) break;
    t = next;
    (exit_x <= exit_z ? x : z).advance();
  }
  // Down to the lowest height, or up to the highest: the rest is rounding.
  if (dy != 0 && end < ray.max_distance_m && std::abs(clearance(grid, x, z, ray, end).c) < 1e-9) {
    const Vec3d p = ray.at(end);
    return SurfaceHit{end, normal_of(grid, static_cast<float>(p.x), static_cast<float>(p.z))};
  }
  return std::nullopt;
}

}  // namespace zoe::ground
