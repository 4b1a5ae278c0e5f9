// SPDX-License-Identifier: MIT
// Light on surfaces, and the curve to screen values, as in shaders/shading.glsl, sky.glsl and tone.glsl.
#pragma once

#include "zoe/math/vec.h"

#include "render/sky_light.h"
#include "render/software/surfaces.h"

namespace zoe::render {

class SurfaceLight {
 public:
  explicit SurfaceLight(const FrameView& view);

  // Radiance of a sample towards the eye. position: world.
  Vec3 shade(const SurfaceSample& sample, Vec3 position, Vec3 ray) const;
  Vec3 sky(Vec3 ray) const;
  // Screen values, 0 to 1, of radiance.
  Vec3 tone(Vec3 radiance) const;
  // 0 near the centre of the ground, 1 where it is as the sky.
  float ground_fade(Vec3 position) const;

 private:
  Vec3 reflect(Vec3 albedo, float metallic, float roughness, Vec3 n, Vec3 v, Vec3 l) const;
  Vec3 mirrored(Vec3 r, float roughness) const;

  const FrameView& view_;
  SkyLight ambient_;
};

}  // namespace zoe::render
