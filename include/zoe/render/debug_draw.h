// SPDX-License-Identifier: MIT
// Part of Zoetrope. Draws paths, velocities, contacts and names into a frame. World space.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "zoe/render/frame.h"

namespace zoe::render {

// A path with a dot at every position and, where directions are given (one per position), a short stroke along each.
void draw_trajectory(RenderFrame& frame, std::span<const Vec3> places_m, std::span<const Vec3> directions, Vec4 color,
                     float dot_radius_m = 0.012F);

// An arrow from each position, as long as its motion in `seconds`. Velocities below `least_m_s` are skipped.
void draw_velocities(RenderFrame& frame, std::span<const Vec3> places_m, std::span<const Vec3> velocities_m_s,
                     Vec4 color, float seconds = 0.1F, float least_m_s = 0.05F);

// A disc of rings on the ground under each position: full and bright where weight is 1, a faint ring where it is 0.
void draw_contacts(RenderFrame& frame, std::span<const Vec3> places_m, std::span<const float> weights,
                   float ground_height_m, float radius_m = 0.07F);

// Bones as lines that are visible through the body; parents as in Skeleton.
void draw_skeleton_lines(RenderFrame& frame, std::span<const Affine> world_from_joint, std::span<const int> parents,
                         Vec4 color, float width_px = 2);

// Pixels from the top left of the picture; empty for positions behind the camera.
std::optional<Vec2> project_to_pixels(const RenderFrame& frame, Vec3 place_m);
// The position on the ground at y = 0 of a pixel, in perspective. Empty above the horizon or farther than 100 metres.
std::optional<Vec3> ground_at_pixel(const RenderFrame& frame, float x_px, float y_px);

// Text at a position, beside a short stroke. The frame's camera and size must be set before.
void draw_label(RenderFrame& frame, Vec3 place_m, std::string_view words, float height_px, Vec4 color);

}  // namespace zoe::render
