// SPDX-License-Identifier: MIT
#include "sprite/map_sheets.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/bytes.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/keypoints.h"

namespace zoe::sprite {

std::string keypoints_json(const FrameMaps& maps) {
  std::string out = fmt::format("{{\"facing\": [{:.4f}, {:.4f}], \"points\": [", maps.facing_cos, maps.facing_sin);
  for (std::size_t k = 0; k < kNumKeypoints; ++k) {
    const Keypoint& point = maps.keypoints[k];
    out += fmt::format("{}[{:.2f}, {:.2f}, {:.4f}, {}]", k == 0 ? "" : ", ", point.x, point.y, point.depth,
                       !point.known    ? 0
                       : point.visible ? 2
                                       : 1);
  }
  return out + "]}";
}

std::vector<std::pair<std::string, std::vector<std::byte>>> map_sheets(const FrameSet& set, const Sheet& sheet,
                                                                       const std::string& title) {
  std::vector<std::pair<std::string, std::vector<std::byte>>> files;
  for (std::size_t kind = 0; kind < kNumMaps; ++kind) {
    if (!set.maps.kinds[kind]) continue;
    render::Picture picture = render::make_picture(sheet.picture.width, sheet.picture.height, 0, 0, 0, 0);
    for (std::size_t i = 0; i < set.frames.size(); ++i) {
      const Placement& at = sheet.frames[i];
      const render::Picture& map = set.frames[i].maps.pictures[kind];
      for (int y = 0; y < at.height; ++y) {
        if (at.canvas_y + y >= map.height) break;
        const std::uint8_t* row = map.pixel(at.canvas_x, at.canvas_y + y);
        std::copy(row, row + 4 * std::min(at.width, map.width - at.canvas_x), picture.pixel(at.x, at.y + y));
      }
    }
    files.emplace_back(title + "_" + kMapWords[kind] + ".png", render::encode_png(picture, render::PngAlpha::kKeep));
  }
  if (set.maps.has(MapKind::kPose)) {
    std::string text = "{\"frames\": [";
    for (std::size_t i = 0; i < set.frames.size(); ++i)
      text += (i == 0 ? "\n" : ",\n") + keypoints_json(set.frames[i].maps);
    text += "\n]}\n";
    const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
    files.emplace_back(title + "_joints.json", std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
  return files;
}

}  // namespace zoe::sprite
