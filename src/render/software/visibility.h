// SPDX-License-Identifier: MIT
// Visibility of triangles: the nearest one at each sample, in perspective or parallel projection. Positions are whole
// sixteenths of a sample, so that edges are exact and shared ones leave no gaps.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/render/camera.h"

#include "render/software/scene_store.h"
#include "render/software/world_bodies.h"

namespace zoe::render {

struct ScreenTriangle {
  Vec3 p[3];       // Samples from the top left; z: depth, larger is nearer.
  float inv_w[3];  // For the correction of perspective.
  std::uint32_t vertices[3];
  std::uint32_t body = 0, submesh = 0;
  std::int32_t corners = -1;  // Of a clipped triangle: index of its corners in the list; below 0: its own.
  bool cut = false;           // Has holes by alpha.
};

struct Barycentrics {
  float weight[3];
};

struct ScreenTriangles {
  std::vector<ScreenTriangle> list;
  std::vector<Barycentrics> corners;  // Three per clipped triangle: weights of the vertices.

  void clear() {
    list.clear();
    corners.clear();
  }
  // Triangles of a body that face the view. blended: those of see-through materials, or only the others.
  void add(const WorldBodies& bodies, std::uint32_t body, const SceneStore& store, const Mat4& clip_from_world,
           int width, int height, bool blended, bool both_sides);
  // Weights of the vertices of a triangle at the centre of a sample, perspective correct.
  Barycentrics at(const ScreenTriangle& triangle, int x, int y) const;

 private:
  std::vector<Vec4> clip_;  // Memory: vertices of the body in clip space.
};

// True if a triangle of a cut surface covers the sample.
struct CutTest {
  const ScreenTriangles& triangles;
  const WorldBodies& bodies;
  const SceneStore& store;
  bool operator()(const ScreenTriangle& triangle, int x, int y) const;
};

struct Visibility {
  int width = 0, height = 0;
  std::vector<float> depth;             // 0: nothing.
  std::vector<std::uint32_t> triangle;  // From 1; 0: nothing.

  void reset(int new_width, int new_height);
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
  // Rows [y_begin, y_end) of all triangles.
  void draw(const ScreenTriangles& triangles, const CutTest& cut, int y_begin, int y_end);
};

}  // namespace zoe::render
