// SPDX-License-Identifier: MIT
// Part of Zoetrope. Lines and text over the scene, for debugging. Everything is batched into one draw.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "zoe/math/affine.h"
#include "zoe/math/vec.h"

namespace zoe::render {

enum class LineSpace : std::uint32_t {
  kWorld = 0,       // Metres; hidden by objects in front.
  kWorldOnTop = 1,  // Metres; faint behind objects.
  kScreen = 2,      // Pixels of the resulting picture, from its top left corner; z is ignored.
};

// GPU layout: three vectors of four.
struct OverlayLine {
  Vec3 start;
  float width_px = 2;
  Vec3 end;
  LineSpace space = LineSpace::kWorld;
  Vec4 color{1, 1, 1, 1};
};

// Position of a label's reference point in its text.
enum class Anchor : std::uint8_t { kLeft, kCenter, kRight };

// Collects lines; labels become strokes of our own letters. clear() keeps the memory.
class Overlay {
 public:
  std::span<const OverlayLine> lines() const { return lines_; }
  void clear() { lines_.clear(); }

  void line(Vec3 start, Vec3 end, Vec4 color, float width_px = 2, LineSpace space = LineSpace::kWorld);
  void polyline(std::span<const Vec3> points, Vec4 color, float width_px = 2, LineSpace space = LineSpace::kWorld);
  // Unit axes of a frame, x red, y green, z blue.
  void axes(const Affine& world_from_frame, float length_m, float width_px = 2);
  // A shaft with a two-stroke head that lies in the plane of the arrow and the vertical.
  void arrow(Vec3 start, Vec3 end, Vec4 color, float width_px = 2);
  // A circle in the plane perpendicular to `normal`.
  void circle(Vec3 center, Vec3 normal, float radius_m, Vec4 color, float width_px = 2, int num_segments = 32);
  void sphere(Vec3 center, float radius_m, Vec4 color, float width_px = 1.5F);
  // The twelve edges of the cube [-1, 1]³, transformed.
  void box(const Affine& world_from_box, Vec4 color, float width_px = 1.5F);
  // Printable ASCII; other characters are drawn as a box. (x, y): the baseline, pixels from the top left.
  void text(float x_px, float y_px, std::string_view words, float height_px, Vec4 color, Anchor anchor = Anchor::kLeft);

 private:
  std::vector<OverlayLine> lines_;
};

// Width of a line of text as Overlay::text draws it.
float text_width_px(std::string_view words, float height_px);

}  // namespace zoe::render
