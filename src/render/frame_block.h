// SPDX-License-Identifier: MIT
// The uniform block of shaders/frame.glsl, field for field.
#pragma once

#include "zoe/math/vec.h"
#include "zoe/render/camera.h"

#include "render/cascades.h"

namespace zoe::render {

struct FrameBlock {
  Mat4 clip_from_world, view_from_world;
  Vec4 eye, view_axis, viewport, unproject;
  Vec4 to_sun, sun_color, sky_light, ground_light, zenith_color, horizon_color;
  Vec4 ground_color, grid_color, ground_center;
  Vec4 shadow, cascade_texel, lights, cluster_depth;
  Mat4 shadow_from_world[kMaxCascades];
  Vec4 ambient[9];
};
static_assert(sizeof(FrameBlock) == (2 + kMaxCascades) * 64 + (17 + 9) * 16);

struct RenderFrame;
struct ShadowFit;
struct LightClusters;

// width, height: of the rendered picture, with supersampling.
void fill_frame_block(const RenderFrame& frame, const ShadowFit& shadows, const LightClusters& clusters, int width,
                      int height, FrameBlock& block);

}  // namespace zoe::render
