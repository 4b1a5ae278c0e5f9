// SPDX-License-Identifier: MIT
// Height maps as pictures, for builds with the renderer, which reads pictures.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "zoe/eval/height_file.h"
#include "zoe/render/picture_file.h"

#include "ground_option.h"

namespace zoe::cli {

Result<GroundPtr> ground_from_picture(const std::string& words, Warnings& warnings) {
  float sizes[2] = {20, 2};  // Width and height, metres.
  std::size_t end = words.size();
  const std::size_t extension = words.rfind('.');
  if (const std::size_t colon = words.find(':', extension); colon != std::string::npos) {
    end = colon;
    const char *at = words.data() + colon, *last = words.data() + words.size();
    for (float& size : sizes) {
      if (at == last) break;
      const auto [next, error] = std::from_chars(at + 1, last, size);
      if (*at != ':' || error != std::errc() || !(size > 0 && size <= 4000)) {
        return Error{ErrorCode::kUsage,
                     fmt::format("ground '{}': width and height are metres, such as hills.png:20:3", words),
                     {}};
      }
      at = next;
    }
    if (at != last)
      return Error{ErrorCode::kUsage, fmt::format("ground '{}': write hills.png:WIDTH:HEIGHT", words), {}};
  }
  ZOE_TRY_ASSIGN(const render::Picture picture, render::read_picture(words.substr(0, end)));
  std::vector<float> heights;
  for (std::size_t i = 0; i + 3 < picture.rgba.size(); i += 4) {
    const int sum = picture.rgba[i] + picture.rgba[i + 1] + picture.rgba[i + 2];
    heights.push_back(sizes[1] * static_cast<float>(sum) / (3 * 255));
  }
  auto ground = eval::ground_from_heights(std::move(heights), picture.height, picture.width,
                                          sizes[0] / static_cast<float>(std::max(picture.width - 1, 1)), &warnings);
  if (!ground) return Error{ground.error().code, ground.error().message, {.file = words.substr(0, end)}};
  return ground;
}

}  // namespace zoe::cli
