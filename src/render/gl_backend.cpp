// SPDX-License-Identifier: MIT
// The order of a frame: prepare on the CPU, upload, shadows, G-buffer, occlusion, light, glass,
// bloom, edges, lines.
#include "render/gl_backend.h"

#include <chrono>

#include "zoe/core/trace.h"

#include "render/effect_area.h"
#include "render/ground_heights.h"
#include "render/light_clusters.h"
#include "render/passes/geometry.h"
#include "render/passes/screen.h"
#include "render/read_back.h"
#include "render/shadow_fit.h"

namespace zoe::render {
namespace {

struct GlBackend final : Backend {
  explicit GlBackend(ShaderLibrary library) : programs(std::move(library)) {
    resources.default_material = resources.materials.add(MaterialDesc{});
    geometry.cones = make_cone_mesh(20, 5);
    empty_vertex_array = gl::make_vertex_array();
    linear_sampler = gl::make_sampler(GL_LINEAR);
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
  }

  MeshHandle add_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials) override;
  TextureHandle add_texture(const Picture& picture, ColorSpace color_space) override {
    return resources.textures.add(make_texture(picture, color_space));
  }
  MaterialHandle add_material(const MaterialDesc& material) override { return resources.materials.add(material); }
  void remove(MeshHandle mesh) override { resources.meshes.remove(mesh); }
  void remove(TextureHandle texture) override { resources.textures.remove(texture); }
  void remove(MaterialHandle material) override { resources.materials.remove(material); }
  Result<void> render(const RenderFrame& frame) override;
  void read_color(Picture& picture) override;
  void read_depth_m(std::vector<float>& depths) override {
    read_back.depth_m(targets, last_settings.supersampling, depths);
  }
  void read_normals(std::vector<Vec3>& normals) override {
    read_back.normals(targets, last_settings.supersampling, normals);
  }
  void read_ids(std::vector<std::uint32_t>& ids) override {
    ZOE_CHECK(last_settings.write_ids, "Settings::write_ids was off");
    read_back.ids(targets, last_settings.supersampling, ids);
  }
  std::uint32_t pick(int x, int y) override {
    ZOE_CHECK(last_settings.write_ids, "Settings::write_ids was off");
    return read_back.pick(targets, last_settings.supersampling, x, y);
  }
  void show(int x_px, int y_px, int window_width_px, int window_height_px) override;
  void read_window(int window_width_px, int window_height_px, Picture& picture) override {
    read_back.color(0, GL_BACK, window_width_px, window_height_px, false, picture);
  }
  const RenderStatistics& statistics() const override { return numbers; }

  Programs programs;
  Resources resources;
  Targets targets;
  GeometryPasses geometry;
  gl::VertexArray empty_vertex_array;
  gl::Sampler linear_sampler;
  gl::StreamBuffer frame_buffer, instance_buffer, palette_buffer, morph_buffer, cone_buffer, lamp_buffer,
      cluster_buffer, line_buffer, index_buffer;

  DrawList draws;
  ShadowFit shadows;
  LightClusters clusters;
  std::vector<Vec4> lamps;
  FrameBlock block;
  PixelBox effects;
  RenderStatistics numbers;

  Settings last_settings;
  ReadBack read_back;
  int last_display = 0;

  // Holds the finished picture.
  GLuint shown_buffer() const {
    return last_settings.supersampling > 1 ? targets.out_buffer.name() : targets.display_buffer[last_display].name();
  }
  void prepare(const RenderFrame& frame);
  void upload(const RenderFrame& frame);
  Result<void> draw(const RenderFrame& frame);
};

// The work on the CPU. No OpenGL below here.
void GlBackend::prepare(const RenderFrame& frame) {
  ZOE_TRACE_SCOPE("render.prepare");
  const auto start = std::chrono::steady_clock::now();
  const Settings& settings = frame.settings;
  const int width = settings.width * settings.supersampling, height = settings.height * settings.supersampling;
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  const Mat4 clip = clip_from_world(frame.camera, aspect);
  draws.build(frame, resources, make_frustum(clip));
  fit_shadows(frame.camera, aspect, frame.environment, settings, draws.casters, shadows);
  draws.add_shadow_groups(frame, resources, shadows);
  effects = effect_area(frame, draws.bodies, clip, width, height);
  lamps.clear();
  if (!frame.lights.empty()) {
    clusters.build(frame.lights, frame.camera, aspect);
    for (const PointLight& light : frame.lights) {
      lamps.push_back({light.position_m.x, light.position_m.y, light.position_m.z, light.range_m});
      lamps.push_back({light.color.x, light.color.y, light.color.z, light.cone_cos_inner});
      lamps.push_back({light.direction.x, light.direction.y, light.direction.z, light.cone_cos_outer});
    }
  }
  fill_frame_block(frame, shadows, clusters, width, height, block);
  numbers = {.prepare_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
             .num_culled = draws.num_culled};
}

void GlBackend::upload(const RenderFrame& frame) {
  ZOE_TRACE_SCOPE("render.upload");
  const auto send = [](gl::StreamBuffer& buffer, GLuint binding, const auto& list) {
    if (list.empty()) return;
    buffer.write(list.data(), list.size() * sizeof(list[0]));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer.name());
  };
  frame_buffer.write(&block, sizeof block);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame_buffer.name());
  send(instance_buffer, 0, draws.records);
  send(palette_buffer, 1, draws.palettes);
  send(morph_buffer, 2, draws.morph_weights);
  send(cone_buffer, 4, draws.cones);
  send(lamp_buffer, 5, lamps);
  if (!lamps.empty()) send(cluster_buffer, 6, clusters.entries);
  if (!draws.sorted_indices.empty())
    index_buffer.write(draws.sorted_indices.data(), draws.sorted_indices.size() * sizeof(std::uint32_t));
  if (draws_as_heights(frame.ground)) geometry.terrain.update(frame.ground, frame.environment.to_sun);
}

Result<void> GlBackend::draw(const RenderFrame& frame) {
  const Settings& settings = frame.settings;
  PassContext context{frame,
                      draws,
                      resources,
                      programs,
                      targets,
                      empty_vertex_array.name(),
                      linear_sampler.name(),
                      index_buffer.name(),
                      block.clip_from_world,
                      effects,
                      numbers};
  if (shadows.num_cascades > 0) ZOE_TRY(geometry.draw_shadows(context, shadows.num_cascades));
  ZOE_TRY(geometry.draw_opaque(context));
  if (settings.ambient_occlusion && !effects.empty()) ZOE_TRY(draw_occlusion(context));

  std::uint32_t light = 0;
  if (shadows.num_cascades > 0)
    light |= kShadows | static_cast<std::uint32_t>(shadows.num_cascades - 1) * kMoreCascades;
  if (!frame.lights.empty()) light |= kLamps;
  std::uint32_t deferred = light;
  if (settings.ambient_occlusion) deferred |= kOcclusion;
  if (draws.emissive) deferred |= kEmissive;
  if (settings.bloom) deferred |= kBloom;
  ZOE_TRY(draw_lighting(
      context, settings.bloom ? targets.display_bright_buffer.name() : targets.display_depth_buffer.name(), deferred));
  if (draws.transparent()) {
    ZOE_TRY(geometry.draw_blended(context, {targets.display_depth_buffer.name(), targets.display_ghost_buffer.name()},
                                  light));
  }

  last_display = 0;
  if (settings.bloom) ZOE_TRY(draw_bloom(context));
  if (settings.bloom || settings.fxaa) {
    ZOE_TRY(draw_finish(context));
    last_display = 1;
  }
  if (!frame.overlay.lines().empty()) {
    const auto lines = frame.overlay.lines();
    line_buffer.write(lines.data(), lines.size_bytes());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, line_buffer.name());
    ZOE_TRY(draw_overlay(context, targets.display_buffer[last_display].name()));
  }
  if (settings.supersampling > 1) ZOE_TRY(draw_downsampled(context, last_display));
  return {};
}

MeshHandle GlBackend::add_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials) {
  GpuMesh made = make_gpu_mesh(mesh, materials);
  for (GpuSubmesh& submesh : made.submeshes) {
    if (resources.material(submesh.material).blend) keep_triangles(mesh, submesh);
  }
  return resources.meshes.add(std::move(made));
}

Result<void> GlBackend::render(const RenderFrame& frame) {
  const Settings& s = frame.settings;
  if (s.style != DrawStyle::kPlain)
    return Error{ErrorCode::kUnsupported, "styles are drawn by the software rasteriser: Renderer::create_software()"};
  prepare(frame);
  ZOE_TRY(targets.prepare(s, draws.emissive, draws.transparent()));
  upload(frame);
  ZOE_TRY(draw(frame));
  last_settings = s;
  read_back.camera = frame.camera;
  return {};
}

void GlBackend::read_color(Picture& picture) {
  read_back.color(shown_buffer(), GL_COLOR_ATTACHMENT0, targets.out_width, targets.out_height,
                  last_settings.transparent_background, picture);
}

void GlBackend::show(int x_px, int y_px, int window_width_px, int window_height_px) {
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  const bool covers = x_px <= 0 && y_px <= 0 && x_px + targets.out_width >= window_width_px &&
                      y_px + targets.out_height >= window_height_px;
  const float black[4] = {0, 0, 0, 1};
  if (!covers) glClearBufferfv(GL_COLOR, 0, black);
  const int bottom = window_height_px - y_px - targets.out_height;  // OpenGL counts from below.
  glBlitNamedFramebuffer(shown_buffer(), 0, 0, 0, targets.out_width, targets.out_height, x_px, bottom,
                         x_px + targets.out_width, bottom + targets.out_height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace

Result<std::unique_ptr<Backend>> make_gl_backend(Context& context, const std::filesystem::path& shader_folder) {
  context.make_current();
  ZOE_TRY_ASSIGN(ShaderLibrary library, ShaderLibrary::create(shader_folder));
  return std::unique_ptr<Backend>(std::make_unique<GlBackend>(std::move(library)));
}

}  // namespace zoe::render
