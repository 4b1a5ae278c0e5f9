// SPDX-License-Identifier: MIT
// Part of Zoetrope. The renderer: keeps meshes and textures on the GPU and draws a RenderFrame into pictures.
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
#include "zoe/render/picture.h"

namespace zoe::render {

struct RendererOptions {
  // GLSL files here replace the built-in ones of the same name (src/render/shaders); empty: none.
  std::filesystem::path shader_folder;
};

// Metallic-roughness, as in glTF. Textures multiply the numbers.
struct MaterialDesc {
  Vec4 base_color{0.8F, 0.8F, 0.8F, 1};
  TextureHandle base_color_texture;
  float metallic = 0, roughness = 0.7F;
  TextureHandle metallic_roughness_texture;  // Green: roughness, blue: metallic.
  TextureHandle normal_texture;
  float normal_scale = 1;
  TextureHandle occlusion_texture;  // Red.
  float occlusion_strength = 1;
  Vec3 emissive{};
  TextureHandle emissive_texture;
  float alpha_cutoff = 0;  // > 0: pixels with less alpha are not drawn.
  bool blend = false;      // Alpha is transparency.
  bool double_sided = false;
};

enum class ColorSpace : std::uint8_t { kSrgb, kLinear };

// Measurements of the last frame.
struct RenderStatistics {
  double prepare_s = 0;  // Sorting, bounds, palettes, lamps, shadow fit: our own CPU work before the first OpenGL call.
  std::size_t num_draws = 0;
  std::size_t num_triangles = 0;  // In the main view.
  std::size_t num_culled = 0;     // Culled instances and cones: neither they nor their shadows can be visible.
};

class Renderer {
 public:
  // Makes the context current, which must outlive the renderer. Shaders are compiled on first use: render() fails with
  // file and line of one that does not compile.
  static Result<std::unique_ptr<Renderer>> create(Context& context, const RendererOptions& options = {});
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
  struct Impl;
  explicit Renderer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace zoe::render
