// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/palette.h"

namespace zoe::sprite {
namespace {

constexpr std::size_t kMaxColors = 255;

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  return line;
}

// "ff8800", with or without '#'. Eight digits end in alpha, which is ignored.
std::optional<Rgb> parse_hex(std::string_view line) {
  if (line.starts_with('#')) line.remove_prefix(1);
  if (line.size() != 6 && line.size() != 8) return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + 6, value, 16);
  if (error != std::errc() || end != line.data() + 6) return std::nullopt;
  return Rgb{static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
             static_cast<std::uint8_t>(value)};
}

// "255 136 0  name".
std::optional<Rgb> parse_gpl(std::string_view line) {
  std::uint8_t channel[3] = {};
  for (std::uint8_t& value : channel) {
    line = trimmed(line);
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc()) return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  }
  return Rgb{channel[0], channel[1], channel[2]};
}

Result<std::vector<Rgb>> checked(std::vector<Rgb> palette, const std::string& name) {
  if (palette.size() < 2 || palette.size() > kMaxColors) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("a palette has 2 to {} colours, this has {}", kMaxColors, palette.size()),
                 {.file = name}};
  }
  return palette;
}

void add_once(std::vector<Rgb>& palette, Rgb color) {
  if (palette.size() <= kMaxColors && std::find(palette.begin(), palette.end(), color) == palette.end())
    palette.push_back(color);
}

}  // namespace

Result<std::vector<Rgb>> parse_palette(std::string_view text, std::string_view extension, const std::string& name) {
  const bool gimp = extension == ".gpl";
  std::vector<Rgb> palette;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const bool head = gimp && (number == 1 || line.find(':') != std::string_view::npos);
    if (line.empty() || head || (gimp && line.starts_with('#')) || line.starts_with(';')) continue;
    const std::optional<Rgb> color = gimp ? parse_gpl(line) : parse_hex(line);
    if (!color) {
      return Error{ErrorCode::kSyntax,
                   gimp ? "not a colour: three numbers from 0 to 255 are expected" : "not a colour: rrggbb is expected",
                   {.file = name, .line = number}};
    }
    add_once(palette, *color);
  }
  return checked(std::move(palette), name);
}

Result<std::vector<Rgb>> read_palette(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".gpl" || extension == ".hex") {
    ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
    return parse_palette(file.text(), extension, path.string());
  }
  if (extension != ".png") {
    return Error{ErrorCode::kUsage, "palettes are read from .gpl, .hex and .png files", {.file = path.string()}};
  }
  ZOE_TRY_ASSIGN(const render::Picture picture, render::read_picture(path));
  std::vector<Rgb> palette;
  for (std::size_t i = 0; i + 3 < picture.rgba.size(); i += 4) {
    if (picture.rgba[i + 3] >= 128) add_once(palette, {picture.rgba[i], picture.rgba[i + 1], picture.rgba[i + 2]});
  }
  return checked(std::move(palette), path.string());
}

}  // namespace zoe::sprite
