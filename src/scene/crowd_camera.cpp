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

FramedView frame_from_front(std::span<const Vec3> points_m, float aspect) {
  constexpr float kPitch_rad = 0.45F, kMargin = 1.03F;
  const auto [min, max] = bounds_of(points_m);
  const Vec3 target = (min + max) * 0.5F, back{0, std::sin(kPitch_rad), std::cos(kPitch_rad)};
  const Affine camera_from_world = inverse(render::look_at(back, {}).world_from_camera);
  const float tan_y = std::tan(kFovY_rad / 2), tan_x = tan_y * aspect;
  float distance_m = 1;
  for (const Vec3& point : points_m) {
    const Vec3 seen = camera_from_world.apply_vector(point - target);
    distance_m = std::max(
        {distance_m, seen.z + std::abs(seen.x) * kMargin / tan_x, seen.z + std::abs(seen.y) * kMargin / tan_y});
  }
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
