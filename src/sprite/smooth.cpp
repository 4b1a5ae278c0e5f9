// SPDX-License-Identifier: MIT
#include "sprite/smooth.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "zoe/render/software/srgb.h"

namespace zoe::sprite {
namespace {

constexpr int kShadowAlpha = 96;

// The pixels that hold a box of samples: an empty picture and where it is.
Cel empty_cel(int left, int top, int right, int bottom, int scale) {
  if (left >= right || top >= bottom) return {};
  const int x0 = left / scale, y0 = top / scale, x1 = (right + scale - 1) / scale, y1 = (bottom + scale - 1) / scale;
  return {x0, y0, render::make_picture(x1 - x0, y1 - y0, 0, 0, 0, 0)};
}

// Without transparent borders.
Cel tight(const Cel& cel) {
  Cel trimmed = trim(cel.picture);
  trimmed.x += trimmed.empty() ? 0 : cel.x;
  trimmed.y += trimmed.empty() ? 0 : cel.y;
  return trimmed;
}

}  // namespace

Cel average(const Samples& samples) {
  const int scale = samples.scale, all = scale * scale;
  const std::array<float, 256>& linear = render::srgb_tables().linear;
  Cel cel = empty_cel(samples.left, samples.top, samples.right, samples.bottom, scale);
  for (int y = 0; y < cel.picture.height; ++y) {
    for (int x = 0; x < cel.picture.width; ++x) {
      const std::uint32_t* corner = samples.row((cel.y + y) * scale) + (cel.x + x) * scale;
      const std::uint32_t first = *corner;
      bool same = true;
      for (int row = 0; row < scale; ++row) {
        for (int k = 0; k < scale; ++k) same &= corner[row * samples.width + k] == first;
      }
      std::uint8_t* pixel = cel.picture.pixel(x, y);
      if (same) {  // Most pixels: transparent, or within one band.
        std::memcpy(pixel, &first, 4);
        continue;
      }
      float sum[3] = {};
      int covered = 0;
      for (int row = 0; row < scale; ++row) {
        for (int k = 0; k < scale; ++k) {
          const std::uint32_t sample = corner[row * samples.width + k];
          if (sample == 0) continue;
          ++covered;
          sum[0] += linear[sample & 255];
          sum[1] += linear[(sample >> 8) & 255];
          sum[2] += linear[(sample >> 16) & 255];
        }
      }
      pixel[3] = static_cast<std::uint8_t>((covered * 255 + all / 2) / all);
      for (std::size_t k = 0; k < 3; ++k) pixel[k] = render::srgb_from_linear(sum[k] / static_cast<float>(covered));
    }
  }
  return tight(cel);
}

Cel shadow_cel(const render::SurfaceBuffer& coverage, int scale, bool hard) {
  const int all = scale * scale;
  Cel cel = empty_cel(coverage.left, coverage.top, coverage.right, coverage.bottom, scale);
  for (int y = 0; y < cel.picture.height; ++y) {
    for (int x = 0; x < cel.picture.width; ++x) {
      int covered = 0;
      const std::uint32_t* corner =
          &coverage.triangle[static_cast<std::size_t>((cel.y + y) * scale) * static_cast<std::size_t>(coverage.width) +
                             static_cast<std::size_t>((cel.x + x) * scale)];
      for (int row = 0; row < scale; ++row) {
        for (int k = 0; k < scale; ++k) covered += corner[row * coverage.width + k] != 0 ? 1 : 0;
      }
      if (hard) covered = 2 * covered >= all ? all : 0;
      cel.picture.pixel(x, y)[3] = static_cast<std::uint8_t>(covered * kShadowAlpha / all);
    }
  }
  return tight(cel);
}

}  // namespace zoe::sprite
