// SPDX-License-Identifier: MIT
#include "render/effect_area.h"

#include "zoe/render/frame.h"

#include "render/ground_heights.h"

namespace zoe::render {
namespace {

constexpr int kMargin = 12;  // Pixels that the blur of the occlusion, at half resolution, may reach.

}  // namespace

PixelBox effect_area(const RenderFrame& frame, const Box3& bodies, const Mat4& clip_from_world, int width, int height) {
  const Environment& environment = frame.environment;
  PixelBounds pixels(clip_from_world, width, height);
  if (draws_as_heights(frame.ground)) {
    pixels.add_everything();
  } else if (!bodies.empty()) {
    Box3 near_bodies = bodies;
    if (frame.settings.ambient_occlusion) near_bodies.grow(frame.settings.ambient_occlusion_radius_m);
    pixels.add(near_bodies);
    const Vec3 to_sun = normalized(environment.to_sun, {0, 1, 0});
    if (frame.settings.shadows && environment.ground) {
      if (to_sun.y < 0.05F) pixels.add_everything();
      Box3 casting = bodies;
      casting.grow(frame.settings.shadow_softness_m * 2);
      for (int i = 0; i < 8; ++i) {
        const Vec3 corner{(i & 1) != 0 ? casting.max.x : casting.min.x, (i & 2) != 0 ? casting.max.y : casting.min.y,
                          (i & 4) != 0 ? casting.max.z : casting.min.z};
        const float fall = std::max(corner.y - environment.ground_height_m, 0.0F);
        pixels.add(corner - to_sun * (fall / std::max(to_sun.y, 0.05F)));
      }
    }
  }
  return pixels.box(kMargin);
}

}  // namespace zoe::render
