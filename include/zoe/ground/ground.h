// SPDX-License-Identifier: MIT
// Part of Zoetrope. The ground below characters: one type for controllers, foot locking, features, synthetic clips,
// scenes and pictures. World space, Y up, metres.
//
//   GroundPtr ground = Ground::flat();
//   float y_m = ground->height(x, z);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "zoe/core/result.h"
#include "zoe/ground/height_grid.h"
#include "zoe/ground/triangle.h"
#include "zoe/math/box.h"

namespace zoe {

class Ground;
// Where a function has a GroundPtr or a pointer as parameter, null means flat ground. Its comment states the height.
using GroundPtr = std::shared_ptr<const Ground>;

struct GroundHit {
  Vec3 position;
  Vec3 normal;  // Unit, on the side of the ray's origin.
  float distance_m = 0;
};

// Immutable: shared between threads without locks. No query allocates.
// Queries of flat, grid and mesh ground are finite for any input, also for coordinates that are not numbers.
class Ground {
 public:
  // Heights are within this distance of zero. Single precision is 1 mm there, and what is beyond is a value for "no
  // data" (-32768, 3.4e38).
  static constexpr float kMostHeight_m = 10'000;
  // False for NaN.
  static bool is_height(float height_m) { return height_m >= -kMostHeight_m && height_m <= kMostHeight_m; }
  enum class Shape : std::uint8_t { kFlat, kGrid, kMesh, kFunction };
  using HeightFunction = std::function<float(float x, float z)>;
  using NormalFunction = std::function<Vec3(float x, float z)>;

  // Infinite. The height must be finite and within kMostHeight_m.
  static GroundPtr flat(float height_m = 0);
  // Fails on fewer than 2 × 2 heights, on a number of heights other than num_x × num_z, on a cell size that is not
  // above zero, on numbers that are not finite and on heights beyond kMostHeight_m.
  static Result<GroundPtr> grid(HeightGrid grid);
  // Three indices per triangle, either winding; triangles without area are skipped. May have holes and several storeys:
  // height() is that of the highest surface, `missing_height_m` where there is none. Fails on an index out of range, on
  // positions that are not finite or beyond kMostHeight_m, and where no triangle is left.
  static Result<GroundPtr> mesh(std::span<const Vec3> positions, std::span<const std::uint32_t> indices,
                                float missing_height_m = 0);
  // A formula, or another program's own ground. Called from several threads; must not throw. NaN is a hole; heights
  // beyond kMostHeight_m become NaN. Without a normal function: central differences over 1 cm. ray() samples every
  // `ray_step_m` and may miss thinner features.
  static GroundPtr function(HeightFunction height, NormalFunction normal = {}, float ray_step_m = 0.05F);

  Shape shape() const { return shape_; }
  float height(float x, float z) const noexcept { return shape_ == Shape::kFlat ? height_m_ : height_of_shape(x, z); }
  // Unit, y >= 0. Straight up where there is no surface.
  Vec3 normal(float x, float z) const noexcept {
    return shape_ == Shape::kFlat ? Vec3{0, 1, 0} : normal_of_shape(x, z);
  }
  // The first surface along the ray, from either side, at most max_distance_m away (may be infinite). direction: any
  // length. Empty for a direction without length and for numbers that are not finite. Agrees with height(): a grid's
  // border continues without end, holes of a mesh let rays pass.
  std::optional<GroundHit> ray(Vec3 origin, Vec3 direction, float max_distance_m) const noexcept;

  // Bounds of the whole surface; empty where it has no border (flat, function).
  Box3 bounds() const;
  // For drawing and files. Null, and no triangles, for another shape.
  const HeightGrid* height_grid() const;
  std::span<const GroundTriangle> triangles() const;

  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;
  ~Ground();

 private:
  struct Parts;
  Ground(Shape shape, float height_m, std::unique_ptr<const Parts> parts);
  float height_of_shape(float x, float z) const noexcept;
  Vec3 normal_of_shape(float x, float z) const noexcept;

  Shape shape_ = Shape::kFlat;
  float height_m_ = 0;  // Flat.
  std::unique_ptr<const Parts> parts_;
};

}  // namespace zoe
