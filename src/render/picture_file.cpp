// SPDX-License-Identifier: MIT
#include "zoe/render/picture_file.h"

#include <algorithm>
#include <utility>

#include "zoe/core/file.h"

#include "render/exif.h"
#include "render/jpeg.h"
#include "render/png.h"

namespace zoe::render {

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

Result<Picture> read_upright_picture(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  ZOE_TRY_ASSIGN(Picture picture, decode_picture(file.bytes(), path.string()));
  return upright(std::move(picture), exif_orientation(file.bytes()));
}

std::vector<std::byte> encode_png(const Picture& picture, PngAlpha alpha) { return encode_png_bytes(picture, alpha); }

Result<void> write_png(const std::filesystem::path& path, const Picture& picture, PngAlpha alpha) {
  return write_file_atomic(path, encode_png(picture, alpha));
}

}  // namespace zoe::render
