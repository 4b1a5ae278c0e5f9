// SPDX-License-Identifier: MIT
// A camera's view as planes; and positions of boxes in its picture. CPU only.
#pragma once

#include "zoe/math/box.h"
#include "zoe/render/camera.h"

namespace zoe::render {

// Six planes that point inwards: x · xyz + w >= 0 inside.
struct Frustum {
  Vec4 planes[6];

  // False only where the box is certainly outside.
  bool touches(const Box3& box) const { return touches_swept(box, {}); }
  // The same for all positions of the box while it moves by `sweep`: a shadow is its caster, moved away from the sun.
  bool touches_swept(const Box3& box, Vec3 sweep) const;
};

Frustum make_frustum(const Mat4& clip_from_world);

// Pixels from the lower left corner; x1 and y1 are one beyond the last.
struct PixelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
};

// Collects positions and gives the pixels around them.
class PixelBounds {
 public:
  PixelBounds(const Mat4& clip_from_world, int width, int height)
      : clip_from_world_(clip_from_world), width_(width), height_(height) {}
  void add(Vec3 place_m);
  void add(const Box3& box);
  void add_everything() { everything_ = true; }
  // Grown by a margin, cut to the picture. A position beside or behind the eye makes it the whole picture.
  PixelBox box(int margin) const;

 private:
  Mat4 clip_from_world_;
  int width_, height_;
  bool everything_ = false, any_ = false;
  float min_x_ = 1, min_y_ = 1, max_x_ = -1, max_y_ = -1;  // Clip space, -1 to 1.
};

}  // namespace zoe::render
