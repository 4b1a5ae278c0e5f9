// SPDX-License-Identifier: MIT
// Aseprite's and TexturePacker's JSON. Fields: the exporters' documentation and real files.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "zoe/core/version.h"
#include "zoe/sprite/engine_files.h"

#include "sprite/json_pieces.h"

namespace zoe::sprite {
namespace {

bool is_trimmed(const FrameSet& set, const Placement& at) {
  return at.canvas_x != 0 || at.canvas_y != 0 || at.width != set.width || at.height != set.height;
}

std::string frame_fields(const FrameSet& set, const Placement& at) {
  return fmt::format(
      "\"frame\": {{\"x\": {}, \"y\": {}, \"w\": {}, \"h\": {}}}, \"rotated\": false, \"trimmed\": {}, "
      "\"spriteSourceSize\": {{\"x\": {}, \"y\": {}, \"w\": {}, \"h\": {}}}, \"sourceSize\": {{\"w\": {}, \"h\": {}}}",
      at.x, at.y, at.width, at.height, is_trimmed(set, at), at.canvas_x, at.canvas_y, at.width, at.height, set.width,
      set.height);
}

std::string meta_fields(const Sheet& sheet, const SheetNames& names) {
  return fmt::format(
      "    \"app\": \"zoetrope\",\n    \"version\": \"{}\",\n    \"image\": {},\n    \"format\": \"RGBA8888\",\n"
      "    \"size\": {{\"w\": {}, \"h\": {}}},\n    \"scale\": \"1\"",
      ZOE_VERSION_STRING, json_text(names.image), sheet.picture.width, sheet.picture.height);
}

// Tags, the layer, and a slice over the whole canvas that holds the pivot.
std::string aseprite_meta(const FrameSet& set, const Sheet& sheet, const SheetNames& names) {
  std::string out = "  \"meta\": {\n" + meta_fields(sheet, names) + ",\n    \"frameTags\": [";
  for (std::size_t i = 0; i < set.animations.size(); ++i) {
    const Animation& animation = set.animations[i];
    out += fmt::format("{}\n      {{\"name\": {}, \"from\": {}, \"to\": {}, \"direction\": \"forward\"{}}}",
                       i == 0 ? "" : ",", json_text(animation.name), animation.first,
                       animation.first + animation.count - 1, animation.loop ? "" : ", \"repeat\": \"1\"");
  }
  out += fmt::format(
      "\n    ],\n    \"layers\": [{{\"name\": \"body\", \"opacity\": 255, \"blendMode\": \"normal\"}}],\n"
      "    \"slices\": [{{\"name\": \"pivot\", \"color\": \"#0000ffff\", \"keys\": [{{\"frame\": 0, \"bounds\": "
      "{{\"x\": 0, \"y\": 0, \"w\": {}, \"h\": {}}}, \"pivot\": {{\"x\": {}, \"y\": {}}}}}]}}]\n  }}\n",
      set.width, set.height, set.pivot_x, set.pivot_y);
  return out;
}

}  // namespace

std::string frame_name(const FrameSet& set, int frame) {
  int longest = 1;
  for (const Animation& animation : set.animations) longest = std::max(longest, animation.count);
  const int digits = longest > 1000 ? 4 : longest > 100 ? 3 : 2;
  for (const Animation& animation : set.animations) {
    if (frame >= animation.first && frame < animation.first + animation.count)
      return fmt::format("{}_{:0{}}", animation.name, frame - animation.first, digits);
  }
  return fmt::format("frame_{}", frame);
}

std::string aseprite_array(const FrameSet& set, const Sheet& sheet, const SheetNames& names) {
  std::string out = "{\n  \"frames\": [";
  for (std::size_t i = 0; i < sheet.frames.size(); ++i) {
    out += fmt::format("{}\n    {{\"filename\": {}, {}, \"duration\": {}}}", i == 0 ? "" : ",",
                       json_text(std::to_string(i)), frame_fields(set, sheet.frames[i]), set.frames[i].duration_ms);
  }
  return out + "\n  ],\n" + aseprite_meta(set, sheet, names) + "}\n";
}

std::string aseprite_hash(const FrameSet& set, const Sheet& sheet, const SheetNames& names) {
  std::string out = "{\n  \"frames\": {";
  for (std::size_t i = 0; i < sheet.frames.size(); ++i) {
    out += fmt::format("{}\n    \"{}\": {{{}, \"duration\": {}}}", i == 0 ? "" : ",", i,
                       frame_fields(set, sheet.frames[i]), set.frames[i].duration_ms);
  }
  return out + "\n  },\n" + aseprite_meta(set, sheet, names) + "}\n";
}

std::string texture_packer(const FrameSet& set, const Sheet& sheet, const SheetNames& names) {
  const std::string x = json_number(static_cast<double>(set.pivot_x) / set.width),
                    y = json_number(static_cast<double>(set.pivot_y) / set.height);
  std::string out = "{\n  \"frames\": {", durations;
  for (std::size_t i = 0; i < sheet.frames.size(); ++i) {
    const std::string name = json_text(frame_name(set, static_cast<int>(i)));
    out += fmt::format("{}\n    {}: {{{}, \"pivot\": {{\"x\": {}, \"y\": {}}}, \"anchor\": {{\"x\": {}, \"y\": {}}}}}",
                       i == 0 ? "" : ",", name, frame_fields(set, sheet.frames[i]), x, y, x, y);
    durations += fmt::format("{}{}: {}", i == 0 ? "" : ", ", name, set.frames[i].duration_ms);
  }
  out += "\n  },\n  \"animations\": {";
  for (std::size_t i = 0; i < set.animations.size(); ++i) {
    const Animation& animation = set.animations[i];
    out += fmt::format("{}\n    {}: [", i == 0 ? "" : ",", json_text(animation.name));
    for (int k = 0; k < animation.count; ++k)
      out += (k == 0 ? "" : ", ") + json_text(frame_name(set, animation.first + k));
    out += "]";
  }
  return out + "\n  },\n  \"durations\": {" + durations + "},\n  \"meta\": {\n" + meta_fields(sheet, names) +
         "\n  }\n}\n";
}

}  // namespace zoe::sprite
