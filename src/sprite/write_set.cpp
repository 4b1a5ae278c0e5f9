// SPDX-License-Identifier: MIT
#include "zoe/sprite/write_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/render/film_writer.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/animation_file.h"
#include "zoe/sprite/engine_files.h"

#include "sprite/json_pieces.h"
#include "sprite/map_sheets.h"

namespace zoe::sprite {
namespace {

// Files in memory, by name below the folder.
class Files {
 public:
  void add(const std::string& name, std::vector<std::byte> bytes) { files_.push_back({name, std::move(bytes)}); }
  void add(const std::string& name, const std::string& text) {
    const std::span<const std::byte> bytes = as_bytes(text);
    add(name, std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
  Result<void> write(const std::filesystem::path& folder, std::vector<std::filesystem::path>& written) const {
    for (const auto& [name, bytes] : files_) {
      ZOE_TRY(write_file_atomic(folder / name, bytes));
      written.push_back(folder / name);
    }
    return {};
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::byte>>> files_;
};

// What engines have no field for: scale, palette, travel of the root.
std::string manifest(const FrameSet& set, const WriteOptions& options) {
  std::string out = fmt::format(
      "{{\n  \"command\": {},\n  \"canvas\": {{\"w\": {}, \"h\": {}}},\n  \"pivot\": {{\"x\": {}, \"y\": {}}},\n"
      "  \"pixels_per_metre\": {},\n  \"palette\": [",
      json_text(options.command), set.width, set.height, set.pivot_x, set.pivot_y,
      json_number(static_cast<double>(set.pixels_per_metre)));
  for (std::size_t i = 0; i < set.palette.size(); ++i) {
    out += fmt::format("{}\"{:02x}{:02x}{:02x}\"", i == 0 ? "" : ", ", set.palette[i].r, set.palette[i].g,
                       set.palette[i].b);
  }
  out += "],\n  \"animations\": [";
  for (std::size_t i = 0; i < set.animations.size(); ++i) {
    const Animation& animation = set.animations[i];
    out += fmt::format(
        "{}\n    {{\"name\": {}, \"clip\": {}, \"direction\": {}, \"first\": {}, \"count\": {}, \"loop\": {}, "
        "\"root\": [",
        i == 0 ? "" : ",", json_text(animation.name), json_text(animation.clip), json_text(animation.direction),
        animation.first, animation.count, animation.loop);
    for (int k = 0; k < animation.count; ++k) {
      const Frame& frame = set.frames[static_cast<std::size_t>(animation.first + k)];
      out += fmt::format("{}[{:.2f}, {:.2f}]", k == 0 ? "" : ", ", static_cast<double>(frame.root_x) + 0.0,
                         static_cast<double>(frame.root_y) + 0.0);
    }
    out += "], \"events\": [";
    for (std::size_t k = 0; k < animation.events.size(); ++k) {
      out += fmt::format("{}{{\"type\": {}, \"frame\": {}}}", k == 0 ? "" : ", ", json_text(animation.events[k].type),
                         animation.events[k].frame);
    }
    out += "]}";
  }
  out += "\n  ],\n  \"mirrored\": [";
  for (std::size_t i = 0; i < set.mirrored.size(); ++i) {
    const Animation& animation = set.mirrored[i];
    const auto source = std::find_if(set.animations.begin(), set.animations.end(),
                                     [&](const Animation& other) { return other.first == animation.first; });
    out += fmt::format("{}\n    {{\"name\": {}, \"flip\": {}}}", i == 0 ? "" : ",", json_text(animation.name),
                       json_text(source->name));
  }
  return out + "\n  ]\n}\n";
}

AnimatedPicture film_of(const FrameSet& set, const Animation& animation) {
  AnimatedPicture film{.loop = animation.loop};
  for (int k = 0; k < animation.count; ++k) {
    const Frame& frame = set.frames[static_cast<std::size_t>(animation.first + k)];
    film.frames.push_back(untrim(frame.body, set.width, set.height));
    film.durations_ms.push_back(frame.duration_ms);
  }
  return film;
}

// By ffmpeg. Films without alpha get a grey background.
Result<void> write_films(const FrameSet& set, const std::filesystem::path& folder, const std::string& format,
                         std::vector<std::filesystem::path>& written) {
  constexpr int kFps = 50;
  for (const Animation& animation : set.animations) {
    const std::filesystem::path path = folder / (animation.name + "." + format);
    const bool alpha = format == "webp";
    ZOE_TRY_ASSIGN(const std::unique_ptr<render::FilmWriter> writer,
                   render::FilmWriter::open(path, {set.width, set.height, kFps, alpha}));
    AnimatedPicture film = film_of(set, animation);
    for (std::size_t i = 0; i < film.frames.size(); ++i) {
      std::vector<std::uint8_t>& rgba = film.frames[i].rgba;
      for (std::size_t k = 0; !alpha && k < rgba.size(); ++k) {
        const int a = rgba[k | 3];
        if (k % 4 != 3) rgba[k] = static_cast<std::uint8_t>((rgba[k] * a + 112 * (255 - a)) / 255);
      }
      const int repeats = std::max(1, (film.durations_ms[i] * kFps + 500) / 1000);
      for (int r = 0; r < repeats; ++r) ZOE_TRY(writer->add(film.frames[i]));
    }
    ZOE_TRY(writer->finish());
    written.push_back(path);
  }
  return {};
}

bool has(const WriteOptions& options, std::string_view word) {
  return std::find(options.exports.begin(), options.exports.end(), word) != options.exports.end();
}

// The guid of a .meta that exists: scenes refer to it.
std::string guid_in(const std::filesystem::path& path) {
  const Result<MappedFile> file = MappedFile::open(path);
  return file ? unity_guid(file->text()) : std::string{};
}

void add_sheet(const FrameSet& set, const Sheet& sheet, const std::string& title, const WriteOptions& options,
               Files& files) {
  const SheetNames names{title, title + ".png"};
  files.add(names.image, render::encode_png(sheet.picture, render::PngAlpha::kKeep));
  files.add(title + ".json", aseprite_array(set, sheet, names));
  if (has(options, "hash")) files.add(title + "_hash.json", aseprite_hash(set, sheet, names));
  if (has(options, "texturepacker") || has(options, "phaser") || has(options, "pixi"))
    files.add(title + "_atlas.json", texture_packer(set, sheet, names));
  if (has(options, "godot")) files.add(title + ".tres", godot4(set, sheet, names));
  if (has(options, "godot3")) files.add(title + "_godot3.tres", godot3(set, sheet, names));
  if (has(options, "unity"))
    files.add(names.image + ".meta", unity_meta(set, sheet, names, guid_in(options.folder / (names.image + ".meta"))));
}

}  // namespace

std::vector<std::string> export_words() {
  return {"hash", "texturepacker", "phaser", "pixi", "godot", "godot3", "unity", "png", "gif", "apng", "webp", "mp4"};
}

Result<WriteReport> write_set(const FrameSet& set, const WriteOptions& options) {
  Files files;
  SheetOptions packing = options.sheet;
  packing.share &= !set.maps.any();  // Equal frames may have other maps.
  ZOE_TRY_ASSIGN(const Sheet sheet, pack_sheet(body_cels(set), set.width, set.height, packing));
  add_sheet(set, sheet, options.title, options, files);
  if (set.has_shadow) {
    ZOE_TRY_ASSIGN(const Sheet shadow, pack_sheet(shadow_cels(set), set.width, set.height, options.sheet));
    add_sheet(set, shadow, options.title + "_shadow", options, files);
  }
  if (set.has_effects) {
    ZOE_TRY_ASSIGN(const Sheet effects, pack_sheet(effect_cels(set), set.width, set.height, options.sheet));
    add_sheet(set, effects, options.title + "_effects", options, files);
  }
  for (auto& [name, bytes] : map_sheets(set, sheet, options.title)) files.add(name, std::move(bytes));
  files.add("sprite.json", manifest(set, options));
  for (const auto& [name, text] : options.further_files) files.add(name, text);
  if (has(options, "png")) {
    for (std::size_t i = 0; i < set.frames.size(); ++i) {
      files.add("frames/" + frame_name(set, static_cast<int>(i)) + ".png",
                render::encode_png(untrim(set.frames[i].body, set.width, set.height), render::PngAlpha::kKeep));
    }
  }
  for (const Animation& animation : set.animations) {
    if (!has(options, "gif") && !has(options, "apng")) break;
    const AnimatedPicture film = film_of(set, animation);
    if (has(options, "gif")) files.add("preview/" + animation.name + ".gif", encode_gif(film, set.palette));
    if (has(options, "apng")) files.add("preview/" + animation.name + ".apng", encode_apng(film));
  }
  WriteReport report{
      .sheet_width = sheet.picture.width, .sheet_height = sheet.picture.height, .num_stored = sheet.num_stored};
  ZOE_TRY(files.write(options.folder, report.files));
  for (const char* format : {"webp", "mp4"}) {
    if (has(options, format)) ZOE_TRY(write_films(set, options.folder / "preview", format, report.files));
  }
  return report;
}

}  // namespace zoe::sprite
