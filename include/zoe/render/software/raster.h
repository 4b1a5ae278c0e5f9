// SPDX-License-Identifier: MIT
// Part of Zoetrope. The software rasteriser: posed triangles to surfaces per sample, orthographic. It needs no OpenGL
// and gives the same bytes everywhere. Shading is the caller's: a style reads the surfaces.
//
//   render::SurfaceBuffer buffer;
//   render::rasterise(model, vertices, view, buffer);
//   for (int y = buffer.top; y < buffer.bottom; ++y) … buffer.at(x, y) …
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/math/affine.h"
#include "zoe/render/software/model.h"

namespace zoe::render {

// An orthographic view. View space: x to the right, y up, z towards the viewer.
struct SurfaceView {
  Affine view_from_model;
  float samples_per_unit = 100;      // Samples per model unit.
  float origin_x = 0, origin_y = 0;  // Sample position of the view's origin; y down.
  int width = 0, height = 0;         // Samples, 1 to 8192.
  bool surfaces = true;              // False: only depth and triangle of the buffer are written.
};

// The surface that one sample displays.
struct Surfel {
  float depth = kNothing;       // View z, model units: larger is nearer.
  std::uint8_t albedo[3] = {};  // sRGB.
  std::uint8_t part = 0;        // SoftwareModel::Triangle::part, at most 255; 0 is nothing.
  std::int8_t normal[3] = {};   // View space, times 127.
  std::uint8_t glow = 0;        // Emitted light, sRGB.
  static constexpr float kNothing = -3e38F;
  bool is_drawn() const { return part != 0; }
};

// Samples of one picture. Sized once for one size: drawing again allocates nothing.
struct SurfaceBuffer {
  int width = 0, height = 0;
  std::vector<Surfel> surfels;  // [height × width], rows from the top.
  // The box with all drawn samples: [left, right) × [top, bottom). Empty: left >= right.
  int left = 0, top = 0, right = 0, bottom = 0;

  const Surfel& at(int x, int y) const {
    return surfels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }

  std::vector<float> depth;             // Of the visibility pass.
  std::vector<std::uint32_t> triangle;  // From 1.
  std::vector<Vec3> projected;          // Memory: vertices in samples and view depth.
  std::vector<Vec3> view_normals;       // Memory: normals of vertices, view space.
};

// Draws all triangles that face the viewer, and both sides of double-sided ones. Parts outside of the view are cut off.
void rasterise(const SoftwareModel& model, const PosedVertices& vertices, const SurfaceView& view,
               SurfaceBuffer& buffer);

}  // namespace zoe::render
