// SPDX-License-Identifier: MIT
#include "render/shadow_fit.h"

#include <algorithm>
#include <cmath>

#include "zoe/render/settings.h"

namespace zoe::render {
namespace {

// Right-handed frame whose +z points to the sun.
Affine sun_frame(Vec3 to_sun) {
  const Vec3 z = normalized(to_sun, {0, 1, 0});
  const Vec3 x = normalized(cross(std::abs(z.y) < 0.99F ? Vec3{0, 1, 0} : Vec3{0, 0, 1}, z));
  return {x, cross(z, x), z, {}};
}

// Square, so that blur radii are the same in both directions. Whole texels, so that edges do not crawl when the fit
// moves.
void look_at_box(const Affine& sun_from_world, Box3 box, int resolution, Mat4& clip, float& size_m) {
  float size = std::max({box.max.x - box.min.x, box.max.y - box.min.y, 0.05F});
  size = std::exp2(std::ceil(std::log2(size) * 8) / 8);  // In steps of 9 %: the size changes rarely.
  size_m = size * (1 + 4.0F / static_cast<float>(resolution));
  const float texel = size_m / static_cast<float>(resolution);
  const Vec3 center{std::round(box.center().x / texel) * texel, std::round(box.center().y / texel) * texel, 0};
  const float depth = std::max(box.max.z - box.min.z, 0.05F);
  // x, y to [-1, 1]; z: sun's side (max) to 0, far side (min) to 1.
  Mat4 ortho{{2 / size_m, 0, 0, 0, 0, 2 / size_m, 0, 0, 0, 0, -1 / depth, 0, -2 * center.x / size_m,
              -2 * center.y / size_m, box.max.z / depth, 1}};
  clip = ortho * to_mat4(sun_from_world);
}

// Corners of the view between two distances, in the sun's frame.
Box3 slice_bounds(const Camera& camera, float aspect, const Affine& sun_from_world, float near_m, float far_m) {
  const float edge = camera.ortho_height_m > 0 ? camera.ortho_height_m * 0.5F : std::tan(camera.fov_y_rad * 0.5F);
  Box3 box;
  for (const float distance : {near_m, far_m}) {
    const float half = camera.ortho_height_m > 0 ? edge : edge * distance;
    for (const float x : {-1.0F, 1.0F}) {
      for (const float y : {-1.0F, 1.0F}) {
        box.add((sun_from_world * camera.world_from_camera).apply_point({x * half * aspect, y * half, -distance}));
      }
    }
  }
  return box;
}

}  // namespace

void fit_shadows(const Camera& camera, float aspect, const Environment& environment, const Settings& settings,
                 const Box3& casters, ShadowFit& fit) {
  fit.num_cascades = 0;
  if (!settings.shadows || casters.empty()) return;
  const Affine sun_from_world = inverse(sun_frame(environment.to_sun));
  Box3 box = transformed(sun_from_world, casters);
  box.grow(settings.shadow_softness_m);
  const int num_cascades = std::clamp(settings.shadow_cascades, 1, kMaxCascades);
  if (num_cascades == 1) {
    look_at_box(sun_from_world, box, settings.shadow_resolution, fit.clip_from_world[0], fit.size_m[0]);
    fit.num_cascades = 1;
    return;
  }
  // The casters' far end along the view, from the camera.
  const Box3 in_view = transformed(inverse(camera.world_from_camera), casters);
  const float near_m = std::max(camera.near_m, -in_view.max.z), far_m = std::max(near_m * 1.1F, -in_view.min.z);
  for (int i = 0; i < num_cascades; ++i) {
    // Between even and logarithmic steps (Zhang et al. 2006), half each.
    const auto split = [&](int k) {
      const float share = static_cast<float>(k) / static_cast<float>(num_cascades);
      return 0.5F * (near_m + (far_m - near_m) * share) + 0.5F * near_m * std::pow(far_m / near_m, share);
    };
    Box3 slice = slice_bounds(camera, aspect, sun_from_world, split(i) * 0.98F, split(i + 1));
    slice.grow(settings.shadow_softness_m);
    const Box3 cut{{std::max(slice.min.x, box.min.x), std::max(slice.min.y, box.min.y), box.min.z},
                   {std::min(slice.max.x, box.max.x), std::min(slice.max.y, box.max.y), box.max.z}};
    if (cut.min.x >= cut.max.x || cut.min.y >= cut.max.y) continue;
    look_at_box(sun_from_world, cut, settings.shadow_resolution, fit.clip_from_world[fit.num_cascades],
                fit.size_m[fit.num_cascades]);
    ++fit.num_cascades;
  }
}

bool casts_into(const ShadowFit& fit, int cascade, const Box3& box) {
  const float* c = fit.clip_from_world[cascade].columns;
  // Parallel light: the map is affine. Depth does not matter, because objects nearer to the sun than the map also cast
  // into it.
  const Box3 in_map =
      transformed({{c[0], c[1], c[2]}, {c[4], c[5], c[6]}, {c[8], c[9], c[10]}, {c[12], c[13], c[14]}}, box);
  return in_map.max.x >= -1 && in_map.min.x <= 1 && in_map.max.y >= -1 && in_map.min.y <= 1;
}

}  // namespace zoe::render
