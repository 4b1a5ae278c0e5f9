// SPDX-License-Identifier: MIT
// Part of Zoetrope. Decoded pictures in memory. Files: picture_file.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zoe::render {

// Rows from the top, four bytes per pixel: red, green, blue in sRGB, alpha not multiplied in.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // [height × width × 4]

  std::uint8_t* pixel(int x, int y) {
    return rgba.data() +
           4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
  }
  const std::uint8_t* pixel(int x, int y) const { return const_cast<Picture*>(this)->pixel(x, y); }
};

// All pixels of one colour.
Picture make_picture(int width, int height, std::uint8_t red, std::uint8_t green, std::uint8_t blue,
                     std::uint8_t alpha);

// Copies `source` so that its top left corner is at (x, y). Parts outside of `target` are cut off.
void paste(const Picture& source, int x, int y, Picture& target);

enum class PngAlpha : std::uint8_t {
  kKeep,
  kDrop,  // Writes three bytes per pixel; for opaque pictures.
};

}  // namespace zoe::render
