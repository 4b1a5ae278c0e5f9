// SPDX-License-Identifier: MIT
#include "zoe/scene/surroundings.h"

#include <algorithm>
#include <cmath>

namespace zoe::scene {

float ground_height_m(const BodyExtent& extent) {
  const bool near_zero = extent.lowest_m < 0 || extent.lowest_m < 0.15F * extent.size_m;
  return near_zero ? extent.lowest_m : 0;
}

void fit_surroundings(const BodyExtent& extent, Vec3 eye_m, Vec3 target_m, render::RenderFrame& frame) {
  render::Environment& env = frame.environment;
  const float size = extent.size_m;
  env.ground_height_m = ground_height_m(extent);
  env.ground_center_m = target_m;
  env.ground_fade_m = std::max(8 * size, 2.2F * distance(eye_m, target_m));
  env.grid_cell_m = std::exp2(std::round(std::log2(size * 0.6F)));
  if (size > 1.2F && size < 2.6F) env.grid_cell_m = 1;  // People: metres.
  frame.settings.shadow_softness_m = 0.016F * size;
  frame.settings.ambient_occlusion_radius_m = 0.2F * size;
}

}  // namespace zoe::scene
