// SPDX-License-Identifier: MIT
#include "zoe/render/picture.h"

#include <algorithm>
#include <cstring>

namespace zoe::render {

Picture make_picture(int width, int height, std::uint8_t red, std::uint8_t green, std::uint8_t blue,
                     std::uint8_t alpha) {
  Picture picture{width, height, {}};
  picture.rgba.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    const std::uint8_t color[4] = {red, green, blue, alpha};
    std::memcpy(&picture.rgba[i], color, 4);
  }
  return picture;
}

void paste(const Picture& source, int x, int y, Picture& target) {
  const int first = std::max(0, -x), last = std::min(source.width, target.width - x);
  if (first >= last) return;
  for (int row = std::max(0, -y); row < std::min(source.height, target.height - y); ++row) {
    std::memcpy(target.pixel(x + first, y + row), source.pixel(first, row), static_cast<std::size_t>(last - first) * 4);
  }
}

}  // namespace zoe::render
