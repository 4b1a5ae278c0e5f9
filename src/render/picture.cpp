// SPDX-License-Identifier: MIT
#include "zoe/render/picture.h"

#include <algorithm>
#include <cstring>

#include "zoe/core/file.h"

#include "render/jpeg.h"
#include "render/png.h"

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

Result<Picture> decode_picture(std::span<const std::byte> bytes, const std::string& name) {
  const auto starts_with = [&](std::initializer_list<unsigned char> magic) {
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin(),
                                                      [](unsigned char a, std::byte b) { return std::byte{a} == b; });
  };
  if (starts_with({0x89, 'P', 'N', 'G'})) return decode_png(bytes, name);
  if (starts_with({0xff, 0xd8, 0xff})) return decode_jpeg(bytes, name);
  return Error{ErrorCode::kUnsupported, "pictures are read as PNG or JPEG; this is neither", {.file = name}};
}

Result<Picture> read_picture(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  return decode_picture(file.bytes(), path.string());
}

Result<void> write_png(const std::filesystem::path& path, const Picture& picture, PngAlpha alpha) {
  return write_file_atomic(path, encode_png(picture, alpha));
}

}  // namespace zoe::render
