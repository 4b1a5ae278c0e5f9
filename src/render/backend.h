// SPDX-License-Identifier: MIT
// What stands behind a Renderer: OpenGL, or the software rasteriser. See renderer.h for the calls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/core/result.h"
#include "zoe/render/frame.h"
#include "zoe/render/material.h"
#include "zoe/render/picture.h"
#include "zoe/render/statistics.h"

namespace zoe::render {

class Backend {
 public:
  virtual ~Backend() = default;
  virtual MeshHandle add_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials) = 0;
  virtual TextureHandle add_texture(const Picture& picture, ColorSpace color_space) = 0;
  virtual MaterialHandle add_material(const MaterialDesc& material) = 0;
  virtual void remove(MeshHandle mesh) = 0;
  virtual void remove(TextureHandle texture) = 0;
  virtual void remove(MaterialHandle material) = 0;
  virtual Result<void> render(const RenderFrame& frame) = 0;  // The settings were checked.
  virtual void read_color(Picture& picture) = 0;
  virtual void read_depth_m(std::vector<float>& depths) = 0;
  virtual void read_normals(std::vector<Vec3>& normals) = 0;
  virtual void read_ids(std::vector<std::uint32_t>& ids) = 0;
  virtual std::uint32_t pick(int x, int y) = 0;
  virtual void show(int x_px, int y_px, int window_width_px, int window_height_px) = 0;
  virtual void read_window(int window_width_px, int window_height_px, Picture& picture) = 0;
  virtual const RenderStatistics& statistics() const = 0;
};

}  // namespace zoe::render
