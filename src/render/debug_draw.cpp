// SPDX-License-Identifier: MIT
#include "zoe/render/debug_draw.h"

#include <cmath>

#include "zoe/core/check.h"

namespace zoe::render {

void draw_trajectory(RenderFrame& frame, std::span<const Vec3> places, std::span<const Vec3> directions, Vec4 color,
                     float dot_radius_m) {
  ZOE_CHECK(directions.empty() || directions.size() == places.size(), "one direction per position, or none");
  frame.overlay.polyline(places, color, 2.5F, LineSpace::kWorldOnTop);
  for (std::size_t i = 0; i < places.size(); ++i) {
    frame.cones.push_back({.start_m = places[i],
                           .end_m = places[i],
                           .start_radius_m = dot_radius_m,
                           .end_radius_m = dot_radius_m,
                           .color = color});
    if (!directions.empty())
      frame.overlay.line(places[i], places[i] + normalized(directions[i]) * (dot_radius_m * 8), color, 1.5F,
                         LineSpace::kWorldOnTop);
  }
}

void draw_velocities(RenderFrame& frame, std::span<const Vec3> places, std::span<const Vec3> velocities, Vec4 color,
                     float seconds, float least_m_s) {
  ZOE_CHECK(velocities.size() == places.size(), "one velocity per position");
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (length(velocities[i]) >= least_m_s)
      frame.overlay.arrow(places[i], places[i] + velocities[i] * seconds, color, 1.8F);
  }
}

void draw_contacts(RenderFrame& frame, std::span<const Vec3> places, std::span<const float> weights,
                   float ground_height_m, float radius_m) {
  ZOE_CHECK(weights.size() == places.size(), "one weight per position");
  constexpr int kRings = 4;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const float weight = weights[i];
    const Vec3 center{places[i].x, ground_height_m + 0.02F * radius_m, places[i].z};
    const Vec4 color{0.15F + 0.8F * weight, 0.75F - 0.25F * weight, 0.85F - 0.7F * weight, 0.35F + 0.6F * weight};
    // Rings fill the disc from the outside as the weight grows.
    for (int ring = 0; ring < kRings; ++ring) {
      const float share = 1 - static_cast<float>(ring) / kRings;
      if (ring == 0 || 1 - share < weight)
        frame.overlay.circle(center, {0, 1, 0}, radius_m * share, color, ring == 0 ? 2.0F : 3.0F, 20);
    }
  }
}

void draw_skeleton_lines(RenderFrame& frame, std::span<const Affine> world_from_joint, std::span<const int> parents,
                         Vec4 color, float width_px) {
  ZOE_CHECK(parents.size() == world_from_joint.size(), "one parent per joint");
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] >= 0)
      frame.overlay.line(world_from_joint[static_cast<std::size_t>(parents[i])].t, world_from_joint[i].t, color,
                         width_px, LineSpace::kWorldOnTop);
  }
}

std::optional<Vec2> project_to_pixels(const RenderFrame& frame, Vec3 place) {
  const auto width = static_cast<float>(frame.settings.width), height = static_cast<float>(frame.settings.height);
  const Vec4 clip = transform(clip_from_world(frame.camera, width / height), {place.x, place.y, place.z, 1});
  if (clip.w <= 1e-4F) return std::nullopt;
  return Vec2{(clip.x / clip.w * 0.5F + 0.5F) * width, (0.5F - clip.y / clip.w * 0.5F) * height};
}

void draw_label(RenderFrame& frame, Vec3 place, std::string_view words, float height_px, Vec4 color) {
  const std::optional<Vec2> at = project_to_pixels(frame, place);
  if (!at) return;
  frame.overlay.line({at->x, at->y, 0}, {at->x + height_px * 0.8F, at->y - height_px * 0.8F, 0}, color, 1.2F,
                     LineSpace::kScreen);
  frame.overlay.text(at->x + height_px, at->y - height_px * 0.6F, words, height_px, color);
}

std::optional<Vec3> ground_at_pixel(const RenderFrame& frame, float x_px, float y_px) {
  const Affine& camera = frame.camera.world_from_camera;
  const auto width = static_cast<float>(frame.settings.width), height = static_cast<float>(frame.settings.height);
  const float tangent = 2 * std::tan(frame.camera.fov_y_rad / 2) / height;
  const Vec3 ray = camera.x * ((x_px - width / 2) * tangent) + camera.y * ((height / 2 - y_px) * tangent) - camera.z;
  if (ray.y > -1e-4F || camera.t.y <= 0) return std::nullopt;
  const Vec3 position = camera.t + ray * (camera.t.y / -ray.y);
  if (distance(position, camera.t) > 100) return std::nullopt;
  return Vec3{position.x, 0, position.z};
}

}  // namespace zoe::render
