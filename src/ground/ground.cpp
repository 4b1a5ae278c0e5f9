// SPDX-License-Identifier: MIT
#include "zoe/ground/ground.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "ground/function_surface.h"
#include "ground/grid_surface.h"
#include "ground/mesh_surface.h"

namespace zoe {
namespace {

struct GridSurface {
  HeightGrid grid;
  ground::HeightRange range;
};

Error bad_ground(std::string message) { return Error{ErrorCode::kInvalid, std::move(message), {}}; }

std::string beyond_limit(const char* what, float height_m) {
  return fmt::format("{} is {:g} m. Heights are within {} km of zero: use a hole where there is no data", what,
                     height_m, Ground::kMostHeight_m / 1000);
}

std::optional<ground::SurfaceHit> cast_on_plane(float height_m, const ground::Ray& ray) {
  const double above = ray.origin.y - height_m;
  if (above == 0) return ground::SurfaceHit{0, {0, 1, 0}};
  const double distance = -above / ray.direction.y;  // Level rays: infinite, either sign.
  if (!(distance >= 0 && distance <= ray.max_distance_m) || !std::isfinite(distance)) return std::nullopt;
  return ground::SurfaceHit{distance, {0, 1, 0}};
}

}  // namespace

struct Ground::Parts {
  std::variant<GridSurface, ground::MeshSurface, ground::FunctionSurface> surface;

  const GridSurface& grid() const { return *std::get_if<GridSurface>(&surface); }
  const ground::MeshSurface& mesh() const { return *std::get_if<ground::MeshSurface>(&surface); }
  const ground::FunctionSurface& function() const { return *std::get_if<ground::FunctionSurface>(&surface); }
};

Ground::Ground(Shape shape, float height_m, std::unique_ptr<const Parts> parts)
    : shape_(shape), height_m_(height_m), parts_(std::move(parts)) {}
Ground::~Ground() = default;

GroundPtr Ground::flat(float height_m) {
  ZOE_CHECK(is_height(height_m), "the height of flat ground must be finite and within 10 km of zero");
  return GroundPtr(new Ground(Shape::kFlat, height_m, nullptr));
}

Result<GroundPtr> Ground::grid(HeightGrid grid) {
  if (grid.num_x < 2 || grid.num_z < 2 ||
      grid.heights_m.size() != static_cast<std::size_t>(grid.num_x) * static_cast<std::size_t>(grid.num_z)) {
    return Error{ErrorCode::kUsage, "a height grid needs at least 2 x 2 heights, as many as num_x times num_z", {}};
  }
  if (!(grid.cell_m > 0) || !std::isfinite(grid.cell_m)) {
    return Error{ErrorCode::kUsage, "a height grid's cell size must be above zero", {}};
  }
  if (!std::isfinite(grid.origin_x_m) || !std::isfinite(grid.origin_z_m)) {
    return bad_ground("a height grid's origin is not finite");
  }
  for (const float height : grid.heights_m) {
    if (!std::isfinite(height)) return bad_ground("a height of a height grid is not finite");
    if (!is_height(height)) return bad_ground(beyond_limit("a height of a height grid", height));
  }
  const ground::HeightRange range = ground::height_range(grid);
  return GroundPtr(
      new Ground(Shape::kGrid, 0, std::make_unique<const Parts>(Parts{GridSurface{std::move(grid), range}})));
}

Result<GroundPtr> Ground::mesh(std::span<const Vec3> positions, std::span<const std::uint32_t> indices,
                               float missing_height_m) {
  if (indices.size() % 3 != 0) return bad_ground("the ground's indices are not three per triangle");
  if (!std::isfinite(missing_height_m)) return bad_ground("the height where the ground is missing is not finite");
  if (!is_height(missing_height_m))
    return bad_ground(beyond_limit("the height where the ground is missing", missing_height_m));
  std::vector<GroundTriangle> triangles;
  triangles.reserve(indices.size() / 3);
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (indices[i + k] >= positions.size()) return bad_ground("an index of the ground is out of range");
      const Vec3& at = positions[indices[i + k]];
      if (!is_finite(at)) return bad_ground("a position of the ground is not finite");
      if (!is_height(at.y)) return bad_ground(beyond_limit("a position of the ground", at.y));
    }
    const GroundTriangle triangle{positions[indices[i]], positions[indices[i + 1]], positions[indices[i + 2]]};
    const Vec3d a = to_double(triangle.a);
    if (length(cross(to_double(triangle.b) - a, to_double(triangle.c) - a)) > 0) triangles.push_back(triangle);
  }
  if (triangles.empty()) return bad_ground("the ground has no triangle with an area");
  return GroundPtr(new Ground(Shape::kMesh, missing_height_m,
                              std::make_unique<const Parts>(Parts{ground::MeshSurface(std::move(triangles))})));
}

GroundPtr Ground::function(HeightFunction height, NormalFunction normal, float ray_step_m) {
  ZOE_CHECK(height != nullptr, "a ground's height function is empty");
  ZOE_CHECK(ray_step_m > 0, "a ground's ray step must be above zero");
  return GroundPtr(new Ground(
      Shape::kFunction, 0,
      std::make_unique<const Parts>(Parts{ground::FunctionSurface{std::move(height), std::move(normal), ray_step_m}})));
}

float Ground::height_of_shape(float x, float z) const noexcept {
  switch (shape_) {
    case Shape::kFlat:
      break;
    case Shape::kGrid:
      return ground::height_of(parts_->grid().grid, x, z);
    case Shape::kMesh: {
      const auto point = parts_->mesh().highest(x, z);
      return point ? point->height_m : height_m_;
    }
    case Shape::kFunction: {
      const float height_m = parts_->function().height(x, z);
      return is_height(height_m) ? height_m : std::numeric_limits<float>::quiet_NaN();
    }
  }
  return height_m_;
}

Vec3 Ground::normal_of_shape(float x, float z) const noexcept {
  switch (shape_) {
    case Shape::kFlat:
      break;
    case Shape::kGrid:
      return ground::normal_of(parts_->grid().grid, x, z);
    case Shape::kMesh: {
      const auto point = parts_->mesh().highest(x, z);
      return point ? point->normal : Vec3{0, 1, 0};
    }
    case Shape::kFunction:
      return ground::normal_of(parts_->function(), x, z);
  }
  return {0, 1, 0};
}

std::optional<GroundHit> Ground::ray(Vec3 origin, Vec3 direction, float max_distance_m) const noexcept {
  const Vec3d along = to_double(direction);
  const double size = length(along);
  if (!is_finite(origin) || !is_finite(direction) || !(size > 0) || !(max_distance_m >= 0)) return std::nullopt;
  const ground::Ray ray{to_double(origin), along / size, max_distance_m};
  std::optional<ground::SurfaceHit> hit;
  switch (shape_) {
    case Shape::kFlat:
      hit = cast_on_plane(height_m_, ray);
      break;
    case Shape::kGrid:
      hit = ground::cast(parts_->grid().grid, parts_->grid().range, ray);
      break;
    case Shape::kMesh:
      hit = parts_->mesh().cast(ray);
      break;
    case Shape::kFunction:
      hit = ground::cast(parts_->function(), ray);
      break;
  }
  if (!hit) return std::nullopt;
  const bool same_way = dot(to_double(hit->normal), ray.direction) > 0;
  return GroundHit{to_float(ray.at(hit->distance_m)), same_way ? -hit->normal : hit->normal,
                   static_cast<float>(hit->distance_m)};
}

Box3 Ground::bounds() const {
  if (shape_ == Shape::kMesh) return parts_->mesh().bounds();
  if (shape_ != Shape::kGrid) return {};
  const auto& [grid, range] = parts_->grid();
  return {{grid.origin_x_m, range.low, grid.origin_z_m},
          {grid.origin_x_m + grid.cell_m * static_cast<float>(grid.num_x - 1), range.high,
           grid.origin_z_m + grid.cell_m * static_cast<float>(grid.num_z - 1)}};
}

const HeightGrid* Ground::height_grid() const { return shape_ == Shape::kGrid ? &parts_->grid().grid : nullptr; }

std::span<const GroundTriangle> Ground::triangles() const {
  if (shape_ != Shape::kMesh) return {};
  return parts_->mesh().triangles();
}

}  // namespace zoe
