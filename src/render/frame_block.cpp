// SPDX-License-Identifier: MIT
#include "render/frame_block.h"

#include <cmath>

#include "zoe/render/frame.h"

#include "render/light_clusters.h"
#include "render/shadow_fit.h"
#include "render/sky_light.h"

namespace zoe::render {
namespace {

Vec4 with_w(Vec3 v, float w) { return {v.x, v.y, v.z, w}; }

}  // namespace

void fill_frame_block(const RenderFrame& frame, const ShadowFit& shadows, const LightClusters& clusters, int width,
                      int height, FrameBlock& block) {
  const Camera& camera = frame.camera;
  const Environment& env = frame.environment;
  const Settings& settings = frame.settings;
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  const bool perspective = camera.ortho_height_m <= 0;

  block.clip_from_world = clip_from_world(camera, aspect);
  block.view_from_world = to_mat4(inverse(camera.world_from_camera));
  block.eye = with_w(camera.world_from_camera.t, perspective ? 1.0F : 0.0F);
  block.view_axis = with_w(-camera.world_from_camera.z, 0);
  block.viewport = {static_cast<float>(width), static_cast<float>(height), 1.0F / static_cast<float>(width),
                    1.0F / static_cast<float>(height)};
  const float edge_y = perspective ? std::tan(camera.fov_y_rad * 0.5F) : camera.ortho_height_m * 0.5F;
  block.unproject = {edge_y * aspect, edge_y, perspective ? camera.near_m : camera.ortho_depth_m, 0};

  block.to_sun = with_w(normalized(env.to_sun, {0, 1, 0}), settings.shadows ? 1.0F : 0.0F);
  block.sun_color = with_w(env.sun_color, settings.exposure);
  block.sky_light = with_w(env.sky_light, settings.bloom_strength);
  block.ground_light = with_w(env.ground_light, settings.bloom_threshold);
  block.zenith_color = with_w(env.zenith_color, settings.ambient_occlusion_strength);
  block.horizon_color = with_w(env.horizon_color, settings.ambient_occlusion_radius_m);
  block.ground_color = with_w(env.ground_color, env.ground_height_m);
  block.grid_color = with_w(env.grid_color, env.grid_cell_m);
  block.ground_center = with_w(env.ground_center_m, env.ground_fade_m);

  const auto texels = static_cast<float>(settings.shadow_resolution);
  block.shadow = {settings.shadow_softness_m, texels, 1 / texels, static_cast<float>(shadows.num_cascades)};
  block.cascade_texel = {shadows.size_m[0] / texels, shadows.size_m[1] / texels, shadows.size_m[2] / texels,
                         shadows.size_m[3] / texels};
  const SkyLight ambient = make_sky_light(env);
  for (int i = 0; i < 9; ++i) block.ambient[i] = ambient.terms[i];
  for (int i = 0; i < kMaxCascades; ++i) block.shadow_from_world[i] = shadows.clip_from_world[i];
  block.lights = {static_cast<float>(frame.lights.size()), LightClusters::kX, LightClusters::kY, LightClusters::kZ};
  block.cluster_depth = {clusters.slice_scale, clusters.slice_offset, 0, 0};
}

}  // namespace zoe::render
