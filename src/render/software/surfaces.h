// SPDX-License-Identifier: MIT
// The surface that each sample of a picture displays: what light and styles need to know of it.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/render/frame.h"

#include "render/shadow_fit.h"
#include "render/software/visibility.h"

namespace zoe::render {

struct SurfaceSample {
  enum class Kind : std::uint8_t { kSky, kGround, kBody };
  float distance_m = 0;         // Along the view direction.
  std::uint8_t albedo[3] = {};  // sRGB.
  Kind kind = Kind::kSky;
  std::int16_t normal[3] = {};  // World, times 32767.
  std::uint16_t body = 0;       // From 1: number in the frame.
  std::uint8_t sun = 255;       // Visible fraction of the sun.
  std::uint8_t alpha = 255;     // Of ghosts and glass.
  std::uint8_t metallic = 0, roughness = 200;
  std::uint8_t glow[3] = {};     // Emitted light, sRGB.
  std::uint8_t pattern[2] = {};  // That lie on the surface: pigment (watercolour), or the distances to two strokes.
  bool is_drawn() const { return kind != Kind::kSky; }
  Vec3 unit_normal() const {
    return Vec3{static_cast<float>(normal[0]), static_cast<float>(normal[1]), static_cast<float>(normal[2])} *
           (1.0F / 32767.0F);
  }
};

// What all samples of a frame share.
struct FrameView {
  FrameView(const RenderFrame& frame, int samples);
  const RenderFrame& frame;
  int samples = 1;               // Per pixel, each way.
  int width = 0, height = 0;     // Samples.
  Mat4 clip;                     // clip_from_world.
  Vec3 to_sun;                   // Unit.
  float edge_x = 0, edge_y = 0;  // View-space x and y at the right and upper edge, at distance 1 or anywhere (ortho).
  bool ortho = false;

  // Direction from the eye, not unit: one metre along the view axis. Ortho: the axis.
  Vec3 ray(float x, float y) const;
  Vec3 origin(float x, float y) const;
  Vec3 position(float x, float y, float distance_m) const { return origin(x, y) + ray(x, y) * distance_m; }
  float distance_of(float depth) const;
  // Samples per metre at a distance.
  float samples_per_metre(float distance_m) const;
};

// The sun's shadow map.
struct SunMap {
  ShadowFit fit;
  Visibility map;
  ScreenTriangles triangles;
  float texel_m = 1;

  void draw(const RenderFrame& frame, float aspect, const WorldBodies& bodies, const SceneStore& store);
  // Visible fraction of the sun. turn: 0 to 3, another disc of samples for neighbours.
  float visible(const RenderFrame& frame, Vec3 position, Vec3 normal, Vec3 to_sun, int turn) const;
};

struct SampleBuffer {
  int width = 0, height = 0;
  std::vector<SurfaceSample> samples;
  // Squares of pixels, 1 where one has a sample of a body in it or in a square beside it.
  int tile_px = 8, num_tiles_x = 0;
  std::vector<std::uint8_t> near_body;

  const SurfaceSample& at(int x, int y) const {
    return samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  // After resolve_surfaces(). samples_per_pixel: each way.
  void find_bodies(int samples_per_pixel);
  // True if all samples of a pixel are one surface, far from bodies.
  bool is_plain(int pixel_x, int pixel_y, int samples_per_pixel) const;
};

// Rows of pixels [y_begin, y_end). with_ground: adds flat ground behind the bodies, and writes its depth.
void resolve_surfaces(const FrameView& view, const WorldBodies& bodies, const SceneStore& store,
                      const ScreenTriangles& triangles, const SunMap& sun, bool with_ground, int y_begin, int y_end,
                      Visibility& visibility, SampleBuffer& out);

}  // namespace zoe::render
