// SPDX-License-Identifier: MIT
#include "render/software/surfaces.h"

#include <algorithm>
#include <cmath>

#include "zoe/render/software/srgb.h"

#include "render/ground_heights.h"
#include "render/software/noise.h"

namespace zoe::render {
namespace {

constexpr Vec3 kStrokes[2] = {{0.52F, 0.79F, 0.33F}, {-0.71F, 0.62F, -0.34F}};  // Directions across hatching.
constexpr float kStrokeSpacing_px = 5, kPigment_px = 26;                        // At a height of 540 pixels.

std::uint8_t to_byte_of(float value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 1.0F) * 255.0F + 0.5F);
}

// A pattern of nearly constant size on the screen that lies on the surface: frequencies are powers of two, and the next
// finer one fades in.
struct PatternScale {
  float frequency = 1;  // Of the finer pattern, per unit of rest positions.
  float fine = 0;       // 0 to 1: how visible it is.
};

PatternScale pattern_scale(float samples_per_rest, float spacing) {
  int exponent = 0;
  const float mantissa = std::frexp(std::max(samples_per_rest / spacing, 1e-12F), &exponent);
  return {std::ldexp(1.0F, exponent), 2 * mantissa - 1};
}

// Distance to the nearest stroke, in half spacings of the finer pattern. Every second stroke is of the finer one only.
float stroke_distance(Vec3 rest, Vec3 across, const PatternScale& scale) {
  const float wobble = (noise(rest * (scale.frequency * 0.17F)) - 0.5F) * 0.8F;
  const float s = dot(rest, across) * scale.frequency + wobble;
  const float coarse = s * 0.5F - static_cast<float>(floor_to_int(s * 0.5F + 0.5F));
  const float fine = s * 0.5F + 0.5F - static_cast<float>(floor_to_int(s * 0.5F + 1.0F));
  return std::min(std::abs(coarse) * 4, std::abs(fine) * 4 + (1 - scale.fine));
}

float pigment(Vec3 rest, const PatternScale& scale) {
  const float coarse = layered_noise(rest * (scale.frequency * 0.5F)), fine = layered_noise(rest * scale.frequency);
  return coarse + (fine - coarse) * scale.fine;
}

// A line of the grid, 0 to 1. Never thinner than a pixel: thinner ones are fainter. Fades before it shimmers.
float grid_line(float at, float pixel, float width) {
  const float drawn = std::max(width, pixel);
  const float off = at - 0.5F - static_cast<float>(floor_to_int(at - 0.5F)), to_line = std::abs(off - 0.5F);
  const float t = std::clamp((drawn * 0.5F + pixel * 0.75F - to_line) / std::max(pixel * 1.5F, 1e-6F), 0.0F, 1.0F);
  return t * t * (3 - 2 * t) * std::min(width / drawn, 1.0F) * std::clamp(1.5F - 2 * pixel, 0.0F, 1.0F);
}

class Resolver {
 public:
  Resolver(const FrameView& view, const WorldBodies& bodies, const SceneStore& store, const ScreenTriangles& triangles,
           const SunMap& sun, Visibility& visibility, SampleBuffer& out)
      : view_(view),
        bodies_(bodies),
        store_(store),
        triangles_(triangles),
        sun_(sun),
        visibility_(visibility),
        out_(out),
        style_(view.frame.settings.style),
        unit_(static_cast<float>(view.samples) *
              std::clamp(static_cast<float>(view.frame.settings.height) / 540, 0.5F, 4.0F)) {}

  // One row of pixels. Pixels without a body have one surface for all their samples.
  void row(int pixel_y, bool with_ground) {
    const int n = view_.samples;
    for (int pixel_x = 0; pixel_x < view_.frame.settings.width; ++pixel_x) {
      const int x0 = pixel_x * n, y0 = pixel_y * n;
      bool empty = true;
      for (int k = 0; k < n * n; ++k) empty &= visibility_.triangle[visibility_.index(x0 + k % n, y0 + k / n)] == 0;
      SurfaceSample shared;
      float depth = 0;
      if (empty && with_ground) {
        const float half = 0.5F * static_cast<float>(n);
        add_ground(static_cast<float>(x0) + half, static_cast<float>(y0) + half, (pixel_x & 1) | (pixel_y & 1) << 1,
                   depth, shared);
        empty = shared.kind == SurfaceSample::Kind::kSky || shared.sun == 255;  // Shadows have edges.
        if (!empty) shared = {};
      }
      for (int k = 0; k < n * n; ++k) {
        const int x = x0 + k % n, y = y0 + k / n;
        const std::size_t index = visibility_.index(x, y);
        SurfaceSample& sample = out_.samples[index];
        const std::uint32_t number = visibility_.triangle[index];
        if (number != 0) {
          sample = body_sample(triangles_.list[number - 1], x, y, visibility_.depth[index]);
          continue;
        }
        sample = shared;
        if (!with_ground) continue;
        if (empty) {
          visibility_.depth[index] = depth;
        } else {
          add_ground(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, (x & 1) | (y & 1) << 1,
                     visibility_.depth[index], sample);
        }
      }
    }
  }

 private:
  SurfaceSample body_sample(const ScreenTriangle& t, int x, int y, float depth) const {
    const WorldBody& body = bodies_.bodies[t.body];
    const Mesh& mesh = body.mesh->mesh;
    const MaterialDesc& material = store_.material(body.mesh->materials[t.submesh]);
    const Barycentrics at = triangles_.at(t, x, y);
    SurfaceSample sample;
    sample.distance_m = view_.distance_of(depth);
    sample.body = static_cast<std::uint16_t>(std::min<std::uint32_t>(t.body + 1, 65535));
    Vec3 position{}, normal{}, rest{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t v = body.first_vertex + t.vertices[k];
      position += bodies_.positions[v] * at.weight[k];
      normal += bodies_.normals[v] * at.weight[k];
      rest += bodies_.rest[v] * at.weight[k];
    }
    const float x_at = static_cast<float>(x) + 0.5F, y_at = static_cast<float>(y) + 0.5F;
    const Vec3 ray = view_.ray(x_at, y_at);
    normal = normalized(normal, {0, 1, 0});
    const Vec3 u = t.p[1] - t.p[0], v = t.p[2] - t.p[0];
    if (u.x * v.y - u.y * v.x > 0) normal = -normal;  // Seen from behind: both sides are lit as fronts.
    sample.kind = body.ground ? SurfaceSample::Kind::kGround : SurfaceSample::Kind::kBody;
    if (body.ground) {
      sample.body = 0;
      ground_color(position, ray, normal, sample);
    } else {
      surface_color(t, body, mesh, material, at, sample);
    }
    set(sample, normal, sun_.visible(view_.frame, position, normal, view_.to_sun, (x & 1) | (y & 1) << 1));
    if (style_ == DrawStyle::kInk || style_ == DrawStyle::kWatercolor)
      add_pattern(rest, body.metres_per_rest * view_.samples_per_metre(sample.distance_m), sample);
    return sample;
  }

  void surface_color(const ScreenTriangle& t, const WorldBody& body, const Mesh& mesh, const MaterialDesc& material,
                     const Barycentrics& at, SurfaceSample& sample) const {
    const SrgbTables& srgb = srgb_tables();
    Vec3 color{material.base_color.x * body.tint.x, material.base_color.y * body.tint.y,
               material.base_color.z * body.tint.z};
    float alpha = material.base_color.w * body.tint.w;
    if (!mesh.colors.empty()) {
      Vec3 mixed{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec4 c = mesh.colors[t.vertices[k]];
        mixed += Vec3{c.x, c.y, c.z} * at.weight[k];
      }
      color = color * mixed;
    }
    Vec3 glow = material.emissive;
    sample.metallic = to_byte_of(material.metallic);
    sample.roughness = to_byte_of(material.roughness);
    if (!mesh.uvs.empty() && (material.base_color_texture || material.metallic_roughness_texture ||
                              (material.emissive_texture && glow != Vec3{}))) {
      Vec2 uv{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec2 corner = mesh.uvs[t.vertices[k]];
        uv = {uv.x + corner.x * at.weight[k], uv.y + corner.y * at.weight[k]};
      }
      const auto texel = [&](TextureHandle handle) {
        const SoftwareTexture& texture = store_.textures.get(handle);
        return sample_texture(texture, uv, texels_per_sample(t, mesh, texture));
      };
      const auto linear = [&](const Vec4& c) {
        return Vec3{srgb.linear[static_cast<std::size_t>(c.x + 0.5F)],
                    srgb.linear[static_cast<std::size_t>(c.y + 0.5F)],
                    srgb.linear[static_cast<std::size_t>(c.z + 0.5F)]};
      };
      if (material.base_color_texture) {
        const Vec4 c = texel(material.base_color_texture);
        color = color * linear(c);
        alpha *= c.w / 255;
      }
      if (material.metallic_roughness_texture) {
        const Vec4 c = texel(material.metallic_roughness_texture);
        sample.roughness = to_byte_of(material.roughness * c.y / 255);
        sample.metallic = to_byte_of(material.metallic * c.z / 255);
      }
      if (material.emissive_texture && glow != Vec3{}) glow = glow * linear(texel(material.emissive_texture));
    }
    for (std::size_t k = 0; k < 3; ++k) {
      sample.albedo[k] = srgb_from_linear(color[k]);
      sample.glow[k] = srgb_from_linear(glow[k]);
    }
    sample.alpha = material.blend || body.ghost > 0 ? to_byte_of(alpha) : 255;
  }

  // From the areas of the triangle on the texture and on the screen.
  static float texels_per_sample(const ScreenTriangle& t, const Mesh& mesh, const SoftwareTexture& texture) {
    const Vec2 a = mesh.uvs[t.vertices[0]], b = mesh.uvs[t.vertices[1]], c = mesh.uvs[t.vertices[2]];
    const Vec3 u = t.p[1] - t.p[0], v = t.p[2] - t.p[0];
    const float on_screen = std::abs(u.x * v.y - u.y * v.x);
    const float on_texture = std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) *
                             static_cast<float>(texture.levels[0].width) * static_cast<float>(texture.levels[0].height);
    return t.corners >= 0 || on_screen < 1e-6F ? 1.0F : std::sqrt(on_texture / on_screen);
  }

  // Flat ground: the ray meets a plane.
  void add_ground(float x_at, float y_at, int turn, float& depth, SurfaceSample& sample) const {
    const Environment& env = view_.frame.environment;
    const Vec3 origin = view_.origin(x_at, y_at), ray = view_.ray(x_at, y_at);
    if (std::abs(ray.y) < 1e-7F) return;
    const float distance_m = (env.ground_height_m - origin.y) / ray.y;
    if (!(distance_m > view_.frame.camera.near_m) || distance_m > 1e4F) return;
    const Vec3 position = origin + ray * distance_m;
    const Vec3 away = position - env.ground_center_m;
    if (std::sqrt(away.x * away.x + away.z * away.z) > env.ground_fade_m) return;
    const Vec3 up{0, 1, 0};
    depth = view_.ortho ? 1 - distance_m / view_.frame.camera.ortho_depth_m : view_.frame.camera.near_m / distance_m;
    sample.kind = SurfaceSample::Kind::kGround;
    sample.distance_m = distance_m;
    ground_color(position, ray, up, sample);
    set(sample, up, sun_.visible(view_.frame, position, up, view_.to_sun, turn));
    if (style_ == DrawStyle::kInk || style_ == DrawStyle::kWatercolor)
      add_pattern({position.x, 0, position.z}, view_.samples_per_metre(distance_m), sample);
  }

  void ground_color(Vec3 position, Vec3 ray, Vec3 normal, SurfaceSample& sample) const {
    const Environment& env = view_.frame.environment;
    Vec3 color = env.ground_color;
    if (env.grid_cell_m > 0 && style_ == DrawStyle::kPlain) {
      // Size of a pixel on the ground, along x and z: it is longer along the view.
      const float pixel_m = static_cast<float>(view_.samples) / view_.samples_per_metre(sample.distance_m);
      const Vec3 along = normalized(ray);
      const float slant = 1 / std::max(std::abs(dot(along, normal)), 0.02F);
      const float flat = std::max(std::sqrt(along.x * along.x + along.z * along.z), 1e-4F);
      const float cx = std::abs(along.x) / flat, cz = std::abs(along.z) / flat;
      const float pixel_x = pixel_m * (cx * slant + cz), pixel_z = pixel_m * (cz * slant + cx);
      const auto lines = [&](float cell, float width_m) {
        return std::max(grid_line(position.x / cell, pixel_x / cell, width_m / cell),
                        grid_line(position.z / cell, pixel_z / cell, width_m / cell));
      };
      const float coarse = lines(env.grid_cell_m, 0.018F * env.grid_cell_m);
      const float fine = lines(env.grid_cell_m * 0.25F, 0.008F * env.grid_cell_m) * 0.3F;
      color = lerp(color, env.grid_color, std::max(coarse, fine));
    }
    sample.roughness = 217;
    for (std::size_t k = 0; k < 3; ++k) sample.albedo[k] = srgb_from_linear(color[k]);
  }

  void add_pattern(Vec3 rest, float samples_per_rest, SurfaceSample& sample) const {
    if (style_ == DrawStyle::kInk) {
      const PatternScale scale = pattern_scale(samples_per_rest, kStrokeSpacing_px * unit_);
      for (std::size_t k = 0; k < 2; ++k) sample.pattern[k] = to_byte_of(stroke_distance(rest, kStrokes[k], scale));
    } else {
      const PatternScale scale = pattern_scale(samples_per_rest, kPigment_px * unit_);
      sample.pattern[0] = to_byte_of(pigment(rest, scale));
      sample.pattern[1] = to_byte_of(pigment(rest + Vec3{131, 57, 211}, scale));
    }
  }

  static void set(SurfaceSample& sample, Vec3 normal, float sun) {
    for (std::size_t k = 0; k < 3; ++k)
      sample.normal[k] = static_cast<std::int16_t>(std::clamp(normal[k], -1.0F, 1.0F) * 32767.0F);
    sample.sun = to_byte_of(sun);
  }

  const FrameView& view_;
  const WorldBodies& bodies_;
  const SceneStore& store_;
  const ScreenTriangles& triangles_;
  const SunMap& sun_;
  Visibility& visibility_;
  SampleBuffer& out_;
  DrawStyle style_;
  float unit_;  // Samples of one pixel at a height of 540.
};

}  // namespace

FrameView::FrameView(const RenderFrame& all, int samples_per_pixel)
    : frame(all),
      samples(samples_per_pixel),
      width(all.settings.width * samples_per_pixel),
      height(all.settings.height * samples_per_pixel),
      to_sun(normalized(all.environment.to_sun, {0, 1, 0})),
      ortho(all.camera.ortho_height_m > 0) {
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  clip = clip_from_world(all.camera, aspect);
  edge_y = ortho ? all.camera.ortho_height_m * 0.5F : std::tan(all.camera.fov_y_rad * 0.5F);
  edge_x = edge_y * aspect;
}

Vec3 FrameView::ray(float x, float y) const {
  const Affine& m = frame.camera.world_from_camera;
  if (ortho) return -m.z;
  const float across = (2 * x / static_cast<float>(width) - 1) * edge_x;
  const float up = (1 - 2 * y / static_cast<float>(height)) * edge_y;
  return m.x * across + m.y * up - m.z;
}

Vec3 FrameView::origin(float x, float y) const {
  const Affine& m = frame.camera.world_from_camera;
  if (!ortho) return m.t;
  const float across = (2 * x / static_cast<float>(width) - 1) * edge_x;
  const float up = (1 - 2 * y / static_cast<float>(height)) * edge_y;
  return m.t + m.x * across + m.y * up;
}

float FrameView::distance_of(float depth) const {
  if (ortho) return (1 - depth) * frame.camera.ortho_depth_m;
  return frame.camera.near_m / std::max(depth, 1e-7F);
}

float FrameView::samples_per_metre(float distance_m) const {
  const float half = static_cast<float>(height) * 0.5F / edge_y;
  return ortho ? half : half / std::max(distance_m, 1e-4F);
}

void SunMap::draw(const RenderFrame& frame, float aspect, const WorldBodies& bodies, const SceneStore& store) {
  Settings one = frame.settings;
  one.shadow_cascades = 1;
  fit = {};
  if (!one.shadows || bodies.casters.empty()) return;
  fit_shadows(frame.camera, aspect, frame.environment, one, bodies.casters, fit);
  if (fit.num_cascades == 0) return;
  texel_m = fit.size_m[0] / static_cast<float>(one.shadow_resolution);
  Mat4 nearer = fit.clip_from_world[0];  // Depth grows away from the sun; visibility needs it larger where nearer.
  for (int c = 0; c < 4; ++c) nearer.columns[c * 4 + 2] = nearer.columns[c * 4 + 3] - nearer.columns[c * 4 + 2];
  triangles.clear();
  for (std::size_t i = 0; i < bodies.bodies.size(); ++i) {
    if (bodies.bodies[i].casts_shadow)
      triangles.add(bodies, static_cast<std::uint32_t>(i), store, nearer, one.shadow_resolution, one.shadow_resolution,
                    false, true);
  }
  map.reset(one.shadow_resolution, one.shadow_resolution);
}

float SunMap::visible(const RenderFrame& frame, Vec3 position, Vec3 normal, Vec3 to_sun, int turn) const {
  const float facing = dot(normal, to_sun);
  if (fit.num_cascades == 0 || facing <= 0) return 1;
  const float softness = frame.settings.shadow_softness_m;
  const float offset = texel_m * 1.5F + (texel_m + softness) * (1 - facing) * 0.8F;
  const Vec3 p = position + normal * offset;
  const Vec4 at = transform(fit.clip_from_world[0], {p.x, p.y, p.z, 1});
  if (!(std::max(std::abs(at.x), std::abs(at.y)) < 1)) return 1;
  const auto size = static_cast<float>(map.width);
  const float x = (at.x * 0.5F + 0.5F) * size, y = (0.5F - at.y * 0.5F) * size, depth = 1 - std::min(at.z, 1.0F);
  // A disc of samples (Vogel's spiral) in four turns. Where the outer ones agree the position is not at an edge.
  constexpr int kTaps = 8, kFirst = 4;
  constexpr float kCos = -0.73736888F, kSin = 0.67549030F;  // The golden angle.
  constexpr float kTurns[4][2] = {
      {1, 0}, {0.70710678F, 0.70710678F}, {0.38268343F, 0.92387953F}, {0.92387953F, 0.38268343F}};
  const float reach = std::max(softness / texel_m, 0.75F);
  float sx = kTurns[turn][0] * reach, sy = kTurns[turn][1] * reach;
  int lit = 0, taken = 0;
  while (taken < kTaps) {
    const float out = std::sqrt(1 - (static_cast<float>(taken) + 0.5F) * (1.0F / kTaps));
    const int column = std::clamp(static_cast<int>(x + sx * out), 0, map.width - 1);
    const int row = std::clamp(static_cast<int>(y + sy * out), 0, map.height - 1);
    lit += map.depth[map.index(column, row)] <= depth ? 1 : 0;
    const float turned = sx * kCos - sy * kSin;
    sy = sx * kSin + sy * kCos;
    sx = turned;
    if (++taken == kFirst && (lit == 0 || lit == kFirst)) break;
  }
  return static_cast<float>(lit) / static_cast<float>(taken);
}

void SampleBuffer::find_bodies(int samples_per_pixel) {
  const int rows_px = height / samples_per_pixel, columns_px = width / samples_per_pixel;
  tile_px = 8 * std::max(1, (rows_px + 539) / 540);
  num_tiles_x = (columns_px + tile_px - 1) / tile_px;
  const int num_tiles_y = (rows_px + tile_px - 1) / tile_px, tile = tile_px * samples_per_pixel;
  near_body.assign(static_cast<std::size_t>(num_tiles_x) * static_cast<std::size_t>(num_tiles_y), 0);
  const auto has_body = [&](int tile_x, int tile_y) {
    for (int y = tile_y * tile; y < std::min((tile_y + 1) * tile, height); ++y) {
      for (int x = tile_x * tile; x < std::min((tile_x + 1) * tile, width); ++x) {
        if (at(x, y).kind == SurfaceSample::Kind::kBody) return true;
      }
    }
    return false;
  };
  for (int y = 0; y < num_tiles_y; ++y) {
    for (int x = 0; x < num_tiles_x; ++x) {
      if (!has_body(x, y)) continue;
      for (int ny = std::max(0, y - 1); ny <= std::min(num_tiles_y - 1, y + 1); ++ny) {
        for (int nx = std::max(0, x - 1); nx <= std::min(num_tiles_x - 1, x + 1); ++nx)
          near_body[static_cast<std::size_t>(ny * num_tiles_x + nx)] = 1;
      }
    }
  }
}

bool SampleBuffer::is_plain(int pixel_x, int pixel_y, int samples_per_pixel) const {
  if (near_body[static_cast<std::size_t>(pixel_y / tile_px * num_tiles_x + pixel_x / tile_px)] != 0) return false;
  const SurfaceSample& first = at(pixel_x * samples_per_pixel, pixel_y * samples_per_pixel);
  if (first.sun != 255) return false;
  for (int k = 1; k < samples_per_pixel * samples_per_pixel; ++k) {
    if (at(pixel_x * samples_per_pixel + k % samples_per_pixel, pixel_y * samples_per_pixel + k / samples_per_pixel)
            .kind != first.kind)
      return false;
  }
  return true;
}

void resolve_surfaces(const FrameView& view, const WorldBodies& bodies, const SceneStore& store,
                      const ScreenTriangles& triangles, const SunMap& sun, bool with_ground, int y_begin, int y_end,
                      Visibility& visibility, SampleBuffer& out) {
  Resolver resolver(view, bodies, store, triangles, sun, visibility, out);
  for (int y = y_begin; y < y_end; ++y) resolver.row(y, with_ground);
}

}  // namespace zoe::render
