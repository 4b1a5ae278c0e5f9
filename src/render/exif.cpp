// SPDX-License-Identifier: MIT
// Layouts: JPEG segments (ITU T.81, annex B), PNG's eXIf chunk, TIFF's first directory.
#include "render/exif.h"

#include <cstdint>
#include <string_view>
#include <utility>

namespace zoe::render {
namespace {

using Bytes = std::span<const std::byte>;

bool begins_with(Bytes bytes, std::string_view text) {
  if (bytes.size() < text.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (bytes[i] != static_cast<std::byte>(text[i])) return false;
  }
  return true;
}

// A whole number of `count` bytes at `at`, or 0 beyond the end.
std::uint32_t number_at(Bytes bytes, std::size_t at, std::size_t count, bool little) {
  if (at > bytes.size() || bytes.size() - at < count) return 0;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = little ? count - 1 - i : i;
    value = value << 8 | static_cast<std::uint32_t>(bytes[at + k]);
  }
  return value;
}

int tiff_orientation(Bytes tiff) {
  const bool little = begins_with(tiff, "II");
  if (!little && !begins_with(tiff, "MM")) return 1;
  if (number_at(tiff, 2, 2, little) != 42) return 1;
  const std::size_t directory = number_at(tiff, 4, 4, little);
  const std::uint32_t num_entries = number_at(tiff, directory, 2, little);
  for (std::uint32_t i = 0; i < num_entries; ++i) {
    const std::size_t entry = directory + 2 + std::size_t{12} * i;
    if (entry > tiff.size() || tiff.size() - entry < 12) return 1;
    if (number_at(tiff, entry, 2, little) != 274) continue;
    const std::uint32_t value = number_at(tiff, entry + 8, 2, little);
    return number_at(tiff, entry + 2, 2, little) == 3 && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

int png_orientation(Bytes file) {
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t size = number_at(file, at, 4, false);
    if (size > file.size() - at - 12) return 1;
    if (begins_with(file.subspan(at + 4), "eXIf")) return tiff_orientation(file.subspan(at + 8, size));
    at += 12 + size;
  }
  return 1;
}

int jpeg_orientation(Bytes file) {
  constexpr std::string_view kExif{"Exif\0\0", 6};
  for (std::size_t at = 2; at + 4 <= file.size();) {
    const std::uint32_t marker = number_at(file, at, 2, false);
    if (marker == 0xffff) {  // Fill bytes may stand before a marker.
      ++at;
      continue;
    }
    const std::size_t size = number_at(file, at + 2, 2, false);
    // After the start of the scan no segments follow.
    if (marker < 0xff01 || marker == 0xffda || size < 2 || size > file.size() - at - 2) return 1;
    const Bytes content = file.subspan(at + 4, size - 2);
    if (marker == 0xffe1 && begins_with(content, kExif)) return tiff_orientation(content.subspan(kExif.size()));
    at += 2 + size;
  }
  return 1;
}

}  // namespace

int exif_orientation(std::span<const std::byte> file) {
  if (begins_with(file, "\x89PNG")) return png_orientation(file);
  if (begins_with(file, "\xff\xd8")) return jpeg_orientation(file);
  return 1;
}

Picture upright(Picture picture, int orientation) {
  if (orientation <= 1 || orientation > 8) return picture;
  const bool swapped = orientation >= 5;  // Rows of the file are columns of the scene.
  const int width = picture.width, height = picture.height;
  Picture out = make_picture(swapped ? height : width, swapped ? width : height, 0, 0, 0, 0);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      int from_x = swapped ? y : x, from_y = swapped ? x : y;
      // Where the file's first row (2 to 4) or column is in the scene: at the right, below, …
      if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) from_x = width - 1 - from_x;
      if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) from_y = height - 1 - from_y;
      const std::uint8_t* source = std::as_const(picture).pixel(from_x, from_y);
      for (int k = 0; k < 4; ++k) out.pixel(x, y)[k] = source[k];
    }
  }
  return out;
}

}  // namespace zoe::render
