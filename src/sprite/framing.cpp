// SPDX-License-Identifier: MIT
#include "sprite/framing.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace zoe::sprite {
namespace {

// Pixels around the body: the outline, and half a pixel of rounding.
constexpr float kMargin_px = 2;

}  // namespace

void Extent::add(std::span<const Vec3> model_points, const Affine& view_from_model) {
  for (const Vec3 point : model_points) {
    const Vec3 p = view_from_model.apply_point(point);
    if (!is_finite(p)) continue;
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    bottom = std::min(bottom, p.y);
    top = std::max(top, p.y);
  }
}

void Extent::add(const Extent& other) {
  left = std::min(left, other.left);
  right = std::max(right, other.right);
  bottom = std::min(bottom, other.bottom);
  top = std::max(top, other.top);
}

Result<Framing> fit(const Extent& extent, const Request& request) {
  const auto size = static_cast<float>(request.size_px);
  const float bottom = std::min(extent.bottom, 0.0F), top = std::max(extent.top, 0.0F);  // With the pivot.
  const float half = std::max(-extent.left, extent.right), tall = top - bottom;
  if (!(half > 0) || !(tall > 0) || half > 1e9F || tall > 1e9F)
    return Error{ErrorCode::kInvalid, "the body has no size that could be drawn", {}};
  const float largest = std::min((size / 2 - kMargin_px) / half, (size - 2 * kMargin_px - 1) / tall);
  float scale = largest;
  if (request.pixels_per_metre > 0) {
    scale = request.pixels_per_metre * request.metres_per_unit;
    if (scale > largest * 1.0001F) {
      return Error{ErrorCode::kUsage,
                   fmt::format("the poses need {} pixels at {} pixels per metre, the canvas has {}: use --size {} or a "
                               "scale of at most {:.1f}",
                               std::lround(std::max(2 * half, tall) * scale), request.pixels_per_metre, request.size_px,
                               std::lround(std::ceil(std::max(2 * half, tall) * scale + 2 * kMargin_px + 1)),
                               static_cast<double>(largest / request.metres_per_unit)),
                   {}};
    }
  }
  Framing framing{.width = request.size_px, .height = request.size_px, .pixels_per_unit = scale};
  framing.pivot_x = request.size_px / 2;
  framing.pivot_y = static_cast<int>(std::floor(size - kMargin_px + bottom * scale));
  return framing;
}

}  // namespace zoe::sprite
