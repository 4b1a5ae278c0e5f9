// SPDX-License-Identifier: MIT
// Part of Zoetrope. The renderer: keeps meshes and textures and draws a RenderFrame into pictures, with OpenGL or on
// the CPU alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/core/result.h"
#include "zoe/render/context.h"
#include "zoe/render/frame.h"
#include "zoe/render/material.h"
#include "zoe/render/picture.h"
#include "zoe/render/statistics.h"

namespace zoe::render {

struct RendererOptions {
  // GLSL files here replace the built-in ones of the same name (src/render/shaders); empty: none.
  std::filesystem::path shader_folder;
};

class Backend;

class Renderer {
 public:
  // Makes the context current, which must outlive the renderer. Shaders are compiled on first use: render() fails with
  // file and line of one that does not compile.
  static Result<std::unique_ptr<Renderer>> create(Context& context, const RendererOptions& options = {});
  // Without OpenGL: the software rasteriser, on all threads of ThreadPool::shared(). It has the styles. It has no
  // occlusion, bloom or normal maps, one shadow map, and no window. The same frame gives the same bytes.
  static std::unique_ptr<Renderer> create_software();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // Uploads. A mesh without normals gets smooth ones. materials[i] is the material of Submesh::material == i.
  MeshHandle add_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials);
  TextureHandle add_texture(const Picture& picture, ColorSpace color_space);
  MaterialHandle add_material(const MaterialDesc& material);
  void remove(MeshHandle mesh);
  void remove(TextureHandle texture);
  void remove(MaterialHandle material);

  // Draws. Fails (kUsage) on a size outside 1 to 16384 and (kLimit) where the GPU has no memory for it. Allocates only
  // when something is larger than ever before.
  Result<void> render(const RenderFrame& frame);

  // The result of the last render(), in the size of its settings. Each call waits until the GPU has finished.
  void read_color(Picture& picture);
  // Metres along the view direction, rows from the top; 0 for the background. At the centre of supersampled pixels.
  void read_depth_m(std::vector<float>& depths);
  // World space, unit, to 0.05 degrees; zero for the background.
  void read_normals(std::vector<Vec3>& normals);
  // Instance::id. Needs Settings::write_ids.
  void read_ids(std::vector<std::uint32_t>& ids);
  // The id at one pixel, 0 outside. Needs Settings::write_ids.
  std::uint32_t pick(int x, int y);

  // Contexts adopted from a window: copies the result of the last render() into the window, with the picture's top left
  // corner at (x_px, y_px) from the window's. The window is window_width_px × window_height_px; the rest of it becomes
  // black.
  void show(int x_px, int y_px, int window_width_px, int window_height_px);
  // The content of the window before it is displayed (buffers are swapped), including other drawing.
  void read_window(int window_width_px, int window_height_px, Picture& picture);

  const RenderStatistics& statistics() const;

 private:
  explicit Renderer(std::unique_ptr<Backend> backend);
  std::unique_ptr<Backend> backend_;
};

}  // namespace zoe::render
