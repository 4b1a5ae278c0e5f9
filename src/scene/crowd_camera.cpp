// SPDX-License-Identifier: MIT
// Cameras of crowds.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/check.h"
#include "zoe/scene/crowd_film.h"

namespace zoe::scene {
namespace {

constexpr float kFovY_rad = 30 * std::numbers::pi_v<float> / 180;

struct Bounds {
  Vec3 min, max;
};

Bounds bounds_of(std::span<const Vec3> points_m) {
  ZOE_CHECK(!points_m.empty(), "a camera needs points to look at");
  Bounds bounds{points_m.front(), points_m.front()};
  for (const Vec3& point : points_m) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bounds.min[axis] = std::min(bounds.min[axis], point[axis]);
      bounds.max[axis] = std::max(bounds.max[axis], point[axis]);
    }
  }
  return bounds;
}

FramedView finished(render::Camera camera, float distance_m) {
  camera.fov_y_rad = kFovY_rad;
  camera.near_m = 0.01F * distance_m;
  return {camera, distance_m};
}

}  // namespace

// The nearest camera of this direction that contains all points. Along x a point is in the picture of a camera at c
// when |x - c.x| <= t (c.z - z), t the half angle's tangent: c.z >= (max(x + t z) - min(x - t z)) / 2t, and likewise
// along y.
FramedView frame_from_front(std::span<const Vec3> points_m, float aspect) {
  constexpr float kPitch_rad = 0.45F, kMargin = 1.03F;
  const auto [min, max] = bounds_of(points_m);
  const Vec3 middle = (min + max) * 0.5F, back{0, std::sin(kPitch_rad), std::cos(kPitch_rad)};
  const Affine world_from_camera = render::look_at(back, {}).world_from_camera;
  const Affine camera_from_world = inverse(world_from_camera);
  const float tan_y = std::tan(kFovY_rad / 2) / kMargin, tan_x = tan_y * aspect;
  Vec2 highest{-1e30F, -1e30F}, lowest{1e30F, 1e30F};
  for (const Vec3& point : points_m) {
    const Vec3 seen = camera_from_world.apply_vector(point - middle);
    highest = {std::max(highest.x, seen.x + tan_x * seen.z), std::max(highest.y, seen.y + tan_y * seen.z)};
    lowest = {std::min(lowest.x, seen.x - tan_x * seen.z), std::min(lowest.y, seen.y - tan_y * seen.z)};
  }
  const Vec2 centre{(highest.x + lowest.x) / 2, (highest.y + lowest.y) / 2};
  const float distance_m = std::max({1.0F, (highest.x - lowest.x) / (2 * tan_x), (highest.y - lowest.y) / (2 * tan_y)});
  const Vec3 target = middle + world_from_camera.apply_vector({centre.x, centre.y, 0});
  return finished(render::look_at(target + back * distance_m, target), distance_m);
}

FramedView frame_from_above(std::span<const Vec3> points_m, float aspect) {
  const auto [min, max] = bounds_of(points_m);
  const Vec3 target = (min + max) * 0.5F, size = max - min;
  const float height_m = std::max(size.z, size.x / aspect), distance_m = height_m + 10;
  render::Camera camera = render::look_at(target + Vec3{0, distance_m, 0}, target, {0, 0, 1});
  camera.ortho_height_m = height_m;
  camera.ortho_depth_m = 2 * distance_m;
  return finished(camera, distance_m);
}

}  // namespace zoe::scene
