// SPDX-License-Identifier: MIT
// SpriteFrames of Godot 4 (text resource format 3) and Godot 3 (format 2). AtlasTexture's margin puts trimmed borders
// back, so that all frames have the size of the canvas.
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "zoe/sprite/engine_files.h"

#include "sprite/json_pieces.h"

namespace zoe::sprite {
namespace {

constexpr double kSpeed = 60;  // Frames per second of the animations; durations are multiples of 1/60 s.

// One AtlasTexture for each pair of a rectangle and its place on the canvas.
struct Atlases {
  std::string text;
  std::vector<int> of_frame;  // From 1.
  int count = 0;
};

Atlases write_atlases(const FrameSet& set, const Sheet& sheet, bool godot3) {
  Atlases atlases;
  std::map<std::tuple<int, int, int, int, int, int>, int> known;
  for (const Placement& at : sheet.frames) {
    const auto [it, added] =
        known.try_emplace({at.x, at.y, at.width, at.height, at.canvas_x, at.canvas_y}, atlases.count + 1);
    atlases.of_frame.push_back(it->second);
    if (!added) continue;
    ++atlases.count;
    atlases.text +=
        fmt::format("{}\natlas = {}\nregion = Rect2({}, {}, {}, {})\nmargin = Rect2({}, {}, {}, {})\n\n",
                    godot3 ? fmt::format("[sub_resource type=\"AtlasTexture\" id={}]", atlases.count)
                           : fmt::format("[sub_resource type=\"AtlasTexture\" id=\"frame_{}\"]", atlases.count),
                    godot3 ? "ExtResource( 1 )" : "ExtResource(\"1_sheet\")", at.x, at.y, at.width, at.height,
                    at.canvas_x, at.canvas_y, set.width - at.width, set.height - at.height);
  }
  return atlases;
}

}  // namespace

std::string godot4(const FrameSet& set, const Sheet& sheet, const SheetNames& names) {
  const Atlases atlases = write_atlases(set, sheet, false);
  std::string out = fmt::format(
      "[gd_resource type=\"SpriteFrames\" load_steps={} format=3]\n\n"
      "[ext_resource type=\"Texture2D\" path={} id=\"1_sheet\"]\n\n{}[resource]\nanimations = [",
      atlases.count + 2, json_text("res://" + names.image), atlases.text);
  for (std::size_t i = 0; i < set.animations.size(); ++i) {
    const Animation& animation = set.animations[i];
    out += i == 0 ? "{\n\"frames\": [" : ", {\n\"frames\": [";
    for (int k = 0; k < animation.count; ++k) {
      const auto frame = static_cast<std::size_t>(animation.first + k);
      out += fmt::format("{}{{\n\"duration\": {},\n\"texture\": SubResource(\"frame_{}\")\n}}", k == 0 ? "" : ", ",
                         json_number(set.frames[frame].duration_ms * kSpeed / 1000), atlases.of_frame[frame]);
    }
    out += fmt::format("],\n\"loop\": {},\n\"name\": &{},\n\"speed\": {}\n}}", animation.loop,
                       json_text(animation.name), json_number(kSpeed));
  }
  return out + "]\n";
}

// Frames of Godot 3 have one duration: a drawing is repeated, in steps of the largest time that divides all of them.
std::string godot3(const FrameSet& set, const Sheet& sheet, const SheetNames& names) {
  const Atlases atlases = write_atlases(set, sheet, true);
  std::string out = fmt::format(
      "[gd_resource type=\"SpriteFrames\" load_steps={} format=2]\n\n"
      "[ext_resource path={} type=\"Texture\" id=1]\n\n{}[resource]\nanimations = [ ",
      atlases.count + 2, json_text("res://" + names.image), atlases.text);
  for (std::size_t i = 0; i < set.animations.size(); ++i) {
    const Animation& animation = set.animations[i];
    int shortest = 1 << 30, longest = 0;
    for (int k = 0; k < animation.count; ++k) {
      const int duration = set.frames[static_cast<std::size_t>(animation.first + k)].duration_ms;
      shortest = std::min(shortest, duration);
      longest = std::max(longest, duration);
    }
    // Durations that differ by rounding alone count as equal.
    const double step_ms = longest - shortest <= 1 ? longest : 1000 / kSpeed;
    std::string frames;
    for (int k = 0; k < animation.count; ++k) {
      const auto frame = static_cast<std::size_t>(animation.first + k);
      const int repeats = std::max(1, static_cast<int>(set.frames[frame].duration_ms / step_ms + 0.5));
      for (int r = 0; r < repeats; ++r)
        frames += fmt::format("{}SubResource( {} )", frames.empty() ? "" : ", ", atlases.of_frame[frame]);
    }
    out += fmt::format("{}{{\n\"frames\": [ {} ],\n\"loop\": {},\n\"name\": {},\n\"speed\": {}\n}}", i == 0 ? "" : ", ",
                       frames, animation.loop, json_text(animation.name), json_number(1000 / step_ms));
  }
  return out + " ]\n";
}

}  // namespace zoe::sprite
