// SPDX-License-Identifier: MIT
#include "render/frustum.h"

namespace zoe::render {

Frustum make_frustum(const Mat4& clip_from_world) {
  const auto row = [&](int r) {
    const float* c = clip_from_world.columns;
    return Vec4{c[r], c[4 + r], c[8 + r], c[12 + r]};
  };
  const auto plus = [](Vec4 a, Vec4 b, float sign) {
    return Vec4{a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z, a.w + sign * b.w};
  };
  const Vec4 x = row(0), y = row(1), z = row(2), w = row(3);
  // Depth is 1 near and 0 far: 0 <= z <= w (Gribb and Hartmann 2001).
  return {{plus(w, x, 1), plus(w, x, -1), plus(w, y, 1), plus(w, y, -1), plus(w, z, -1), z}};
}

bool Frustum::touches_swept(const Box3& box, Vec3 sweep) const {
  if (box.empty()) return false;
  const Vec3 center = box.center(), half = box.half_size();
  for (const Vec4& plane : planes) {
    const Vec3 normal{plane.x, plane.y, plane.z};
    const float reach = std::abs(normal.x) * half.x + std::abs(normal.y) * half.y + std::abs(normal.z) * half.z;
    if (dot(normal, center) + plane.w + reach + std::max(dot(normal, sweep), 0.0F) < 0) return false;
  }
  return true;
}

void PixelBounds::add(Vec3 place_m) {
  any_ = true;
  const Vec4 clip = transform(clip_from_world_, {place_m.x, place_m.y, place_m.z, 1});
  if (clip.w < 1e-3F || clip.z > clip.w) {
    everything_ = true;
    return;
  }
  const float x = clip.x / clip.w, y = clip.y / clip.w;
  min_x_ = std::min(min_x_, x);
  max_x_ = std::max(max_x_, x);
  min_y_ = std::min(min_y_, y);
  max_y_ = std::max(max_y_, y);
}

void PixelBounds::add(const Box3& box) {
  if (box.empty()) return;
  for (int i = 0; i < 8; ++i) {
    add(Vec3{(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
             (i & 4) != 0 ? box.max.z : box.min.z});
  }
}

PixelBox PixelBounds::box(int margin) const {
  if (everything_) return {0, 0, width_, height_};
  if (!any_) return {};
  const auto pixel = [](float clip, int size) {
    return (std::clamp(clip, -2.0F, 2.0F) * 0.5F + 0.5F) * static_cast<float>(size);
  };
  const auto low = [&](float clip, int size) {
    return std::clamp(static_cast<int>(std::floor(pixel(clip, size))) - margin, 0, size);
  };
  const auto high = [&](float clip, int size) {
    return std::clamp(static_cast<int>(std::ceil(pixel(clip, size))) + margin, 0, size);
  };
  return {low(min_x_, width_), low(min_y_, height_), high(max_x_, width_), high(max_y_, height_)};
}

}  // namespace zoe::render
