// SPDX-License-Identifier: MIT
#include "zoe/render/renderer.h"

#include <fmt/format.h>

#include "zoe/core/trace.h"

#include "render/backend.h"
#include "render/cascades.h"
#include "render/gl_backend.h"
#include "render/software/backend.h"

namespace zoe::render {

Renderer::Renderer(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {}
Renderer::~Renderer() = default;

Result<std::unique_ptr<Renderer>> Renderer::create(Context& context, const RendererOptions& options) {
  ZOE_TRY_ASSIGN(std::unique_ptr<Backend> backend, make_gl_backend(context, options.shader_folder));
  return std::unique_ptr<Renderer>(new Renderer(std::move(backend)));
}
std::unique_ptr<Renderer> Renderer::create_software() {
  return std::unique_ptr<Renderer>(new Renderer(make_software_backend()));
}

Result<void> Renderer::render(const RenderFrame& frame) {
  ZOE_TRACE_SCOPE("render.frame");
  const Settings& s = frame.settings;
  constexpr int kLargest = 16384;
  if (s.width < 1 || s.height < 1 || s.supersampling < 1 || s.supersampling > 4 ||
      s.width * s.supersampling > kLargest || s.height * s.supersampling > kLargest) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("cannot render {} x {} pixels, {} times supersampled: use 1 to {} in each direction, 1 to 4 times",
                    s.width, s.height, s.supersampling, kLargest)};
  }
  ZOE_CHECK(s.shadow_samples >= 1 && s.shadow_samples <= 32 && s.ambient_occlusion_samples >= 4 &&
                s.ambient_occlusion_samples <= 32 && s.shadow_cascades >= 1 && s.shadow_cascades <= kMaxCascades &&
                s.shadow_resolution >= 16 && s.shadow_resolution <= 8192,
            "render settings out of range");
  return backend_->render(frame);
}

MeshHandle Renderer::add_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials) {
  return backend_->add_mesh(mesh, materials);
}
TextureHandle Renderer::add_texture(const Picture& picture, ColorSpace color_space) {
  return backend_->add_texture(picture, color_space);
}
MaterialHandle Renderer::add_material(const MaterialDesc& material) { return backend_->add_material(material); }
void Renderer::remove(MeshHandle mesh) { backend_->remove(mesh); }
void Renderer::remove(TextureHandle texture) { backend_->remove(texture); }
void Renderer::remove(MaterialHandle material) { backend_->remove(material); }
void Renderer::read_color(Picture& picture) { backend_->read_color(picture); }
void Renderer::read_depth_m(std::vector<float>& depths) { backend_->read_depth_m(depths); }
void Renderer::read_normals(std::vector<Vec3>& normals) { backend_->read_normals(normals); }
void Renderer::read_ids(std::vector<std::uint32_t>& ids) { backend_->read_ids(ids); }
std::uint32_t Renderer::pick(int x, int y) { return backend_->pick(x, y); }
void Renderer::show(int x_px, int y_px, int window_width_px, int window_height_px) {
  backend_->show(x_px, y_px, window_width_px, window_height_px);
}
void Renderer::read_window(int window_width_px, int window_height_px, Picture& picture) {
  backend_->read_window(window_width_px, window_height_px, picture);
}
const RenderStatistics& Renderer::statistics() const { return backend_->statistics(); }

}  // namespace zoe::render
