// SPDX-License-Identifier: MIT
// The order of a frame: bodies in the world, the sun's map, visible surfaces, colours, see-through bodies from far to
// near, lines. Rows are independent: every number of threads gives the same bytes.
#include "render/software/backend.h"

#include <algorithm>
#include <chrono>

#include "zoe/core/check.h"
#include "zoe/core/thread_pool.h"
#include "zoe/core/trace.h"

#include "render/ground_heights.h"
#include "render/software/overlay_lines.h"
#include "render/software/painter.h"

namespace zoe::render {
namespace {

constexpr int kLeastSamples = 2;       // Per pixel, each way: edges are smooth.
constexpr double kMostSamples = 48e6;  // Of a picture; larger pictures get one sample a pixel.
constexpr std::size_t kRowsPerPiece = 8;

struct SoftwareRenderer final : Backend {
  MeshHandle add_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials) override {
    return store.meshes.add(make_software_mesh(mesh, materials));
  }
  TextureHandle add_texture(const Picture& picture, ColorSpace) override {
    return store.textures.add(make_software_texture(picture));
  }
  MaterialHandle add_material(const MaterialDesc& material) override { return store.materials.add(material); }
  void remove(MeshHandle mesh) override { store.meshes.remove(mesh); }
  void remove(TextureHandle texture) override { store.textures.remove(texture); }
  void remove(MaterialHandle material) override { store.materials.remove(material); }

  Result<void> render(const RenderFrame& frame) override;
  void read_color(Picture& out) override;
  void read_depth_m(std::vector<float>& depths) override {
    for_pixels(depths, [](const SurfaceSample& s) { return s.distance_m; });
  }
  void read_normals(std::vector<Vec3>& normals) override {
    for_pixels(normals, [](const SurfaceSample& s) { return s.is_drawn() ? normalized(s.unit_normal()) : Vec3{}; });
  }
  void read_ids(std::vector<std::uint32_t>& ids) override {
    ZOE_CHECK(settings.write_ids, "Settings::write_ids was off");
    for_pixels(ids, [&](const SurfaceSample& s) { return id_of(s); });
  }
  std::uint32_t pick(int x, int y) override {
    ZOE_CHECK(settings.write_ids, "Settings::write_ids was off");
    if (x < 0 || y < 0 || x >= settings.width || y >= settings.height) return 0;
    return id_of(surfaces.at(x * samples + samples / 2, y * samples + samples / 2));
  }
  void show(int, int, int, int) override { ZOE_CHECK(false, "the software rasteriser has no window"); }
  void read_window(int, int, Picture&) override { ZOE_CHECK(false, "the software rasteriser has no window"); }
  const RenderStatistics& statistics() const override { return numbers; }

  // At the middle sample of each pixel.
  template <typename Value, typename Read>
  void for_pixels(std::vector<Value>& out, const Read& read) const {
    out.clear();
    for (int y = 0; y < settings.height; ++y) {
      for (int x = 0; x < settings.width; ++x)
        out.push_back(read(surfaces.at(x * samples + samples / 2, y * samples + samples / 2)));
    }
  }
  std::uint32_t id_of(const SurfaceSample& s) const {
    return s.body == 0 ? 0 : bodies.bodies[s.body - std::size_t{1}].id;
  }
  void draw_opaque(const FrameView& view, const SurfaceLight& light);
  void draw_see_through(const FrameView& view, const SurfaceLight& light);
  // Triangles, surfaces and colours of one layer, over the pixels so far.
  void draw_layer(const FrameView& view, const SurfaceLight& light, bool background, Visibility& visibility,
                  SampleBuffer& out);

  SceneStore store;
  WorldBodies bodies;
  SunMap sun;
  ScreenTriangles triangles;
  Visibility nearest, over;  // Of opaque surfaces, and of one see-through body.
  SampleBuffer surfaces, surfaces_over;
  std::vector<Vec4> pixels;  // Screen values, alpha multiplied in.
  Settings settings;
  int samples = kLeastSamples;
  RenderStatistics numbers;
};

void SoftwareRenderer::draw_layer(const FrameView& view, const SurfaceLight& light, bool background,
                                  Visibility& visibility, SampleBuffer& out) {
  ThreadPool& pool = ThreadPool::shared();
  out.width = view.width;
  out.height = view.height;
  out.samples.resize(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
  numbers.num_triangles += triangles.list.size();
  ++numbers.num_draws;
  const bool ground = background && view.frame.environment.ground && !draws_as_heights(view.frame.ground) &&
                      !settings.transparent_background;
  const CutTest cut{triangles, bodies, store};
  const auto height = static_cast<std::size_t>(settings.height), width = static_cast<std::size_t>(settings.width);
  pool.parallel_for(height, kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    const int y0 = static_cast<int>(begin), y1 = static_cast<int>(end);
    visibility.draw(triangles, cut, y0 * samples, y1 * samples);
    resolve_surfaces(view, bodies, store, triangles, sun, ground, y0, y1, visibility, out);
  });
  out.find_bodies(samples);
  const Painter painter(view, light, out, background);
  pool.parallel_for(height, kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t y = begin; y < end; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        const int left = static_cast<int>(x) * samples, top = static_cast<int>(y) * samples;
        // Far from bodies one sample is enough: lines of the grid are smooth by themselves.
        const bool plain = out.is_plain(static_cast<int>(x), static_cast<int>(y), samples);
        const int count = plain ? 1 : samples * samples;
        Vec4 sum{};
        for (int k = 0; k < count; ++k) {
          const Vec4 c = painter.color(left + k % samples, top + k / samples);
          sum = {sum.x + c.x, sum.y + c.y, sum.z + c.z, sum.w + c.w};
        }
        const float share = 1 / static_cast<float>(count);
        Vec4& pixel = pixels[y * width + x];
        const float rest = 1 - sum.w * share;
        pixel = {pixel.x * rest + sum.x * share, pixel.y * rest + sum.y * share, pixel.z * rest + sum.z * share,
                 pixel.w * rest + sum.w * share};
      }
    }
  });
}

void SoftwareRenderer::draw_opaque(const FrameView& view, const SurfaceLight& light) {
  triangles.clear();
  for (std::size_t i = 0; i < bodies.bodies.size(); ++i) {
    const WorldBody& body = bodies.bodies[i];
    if (body.ghost == 0 && !(body.ground && settings.transparent_background))
      triangles.add(bodies, static_cast<std::uint32_t>(i), store, view.clip, view.width, view.height, false, false);
  }
  nearest.reset(view.width, view.height);
  draw_layer(view, light, true, nearest, surfaces);
}

// Ghosts as whole bodies, glass by bodies, far ones first.
void SoftwareRenderer::draw_see_through(const FrameView& view, const SurfaceLight& light) {
  struct Layer {
    float distance_m = 0;
    std::uint32_t ghost = 0;
    std::vector<std::uint32_t> members;
  };
  std::vector<Layer> layers;
  const Vec3 eye = view.frame.camera.world_from_camera.t;
  for (std::size_t i = 0; i < bodies.bodies.size(); ++i) {
    const WorldBody& body = bodies.bodies[i];
    const auto number = static_cast<std::uint32_t>(i);
    const auto& materials = body.mesh->materials;
    const bool glass = std::any_of(materials.begin(), materials.end(),
                                   [&](MaterialHandle handle) { return store.material(handle).blend; });
    if (body.ghost == 0 && !glass) continue;
    if (body.ghost == 0 || layers.empty() || layers.back().ghost != body.ghost)
      layers.push_back({distance(body.bounds.center(), eye), body.ghost, {}});
    layers.back().members.push_back(number);
  }
  std::stable_sort(layers.begin(), layers.end(),
                   [](const Layer& a, const Layer& b) { return a.distance_m > b.distance_m; });
  for (const Layer& layer : layers) {
    triangles.clear();
    for (const std::uint32_t member : layer.members)
      triangles.add(bodies, member, store, view.clip, view.width, view.height, true, false);
    if (triangles.list.empty()) continue;
    over.reset(view.width, view.height);
    over.depth = nearest.depth;
    draw_layer(view, light, false, over, surfaces_over);
  }
}

Result<void> SoftwareRenderer::render(const RenderFrame& frame) {
  ZOE_TRACE_SCOPE("render.software");
  const auto start = std::chrono::steady_clock::now();
  settings = frame.settings;
  samples = std::max(settings.supersampling, kLeastSamples);
  if (static_cast<double>(settings.width) * settings.height * samples * samples > kMostSamples) samples = 1;
  const FrameView view(frame, samples);
  numbers = {};
  bodies.build(frame, store);
  sun.draw(frame, static_cast<float>(view.width) / static_cast<float>(view.height), bodies, store);
  numbers.prepare_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (sun.fit.num_cascades > 0) {
    const CutTest cut{sun.triangles, bodies, store};
    ThreadPool::shared().parallel_for(
        static_cast<std::size_t>(sun.map.height), 64, [&](std::size_t begin, std::size_t end) {
          sun.map.draw(sun.triangles, cut, static_cast<int>(begin), static_cast<int>(end));
        });
  }
  pixels.assign(static_cast<std::size_t>(settings.width) * static_cast<std::size_t>(settings.height), {});
  const SurfaceLight light(view);
  draw_opaque(view, light);
  draw_see_through(view, light);
  draw_overlay_lines(view, nearest, pixels);
  return {};
}

void SoftwareRenderer::read_color(Picture& out) {
  out.width = settings.width;
  out.height = settings.height;
  out.rgba.resize(pixels.size() * 4);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const Vec4& p = pixels[i];
    const float scale = settings.transparent_background && p.w > 1e-4F ? 255 / p.w : 255.0F;
    const auto byte = [](float v) { return static_cast<std::uint8_t>(std::clamp(v, 0.0F, 255.0F) + 0.5F); };
    out.rgba[4 * i] = byte(p.x * scale);
    out.rgba[4 * i + 1] = byte(p.y * scale);
    out.rgba[4 * i + 2] = byte(p.z * scale);
    out.rgba[4 * i + 3] = settings.transparent_background ? byte(p.w * 255) : std::uint8_t{255};
  }
}

}  // namespace

std::unique_ptr<Backend> make_software_backend() { return std::make_unique<SoftwareRenderer>(); }

}  // namespace zoe::render
