// SPDX-License-Identifier: MIT
#include "zoe/io/read.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/trace.h"
#include "zoe/io/bvh.h"
#include "zoe/io/fbx.h"
#include "zoe/io/gltf.h"
#include "zoe/io/npz.h"
#include "zoe/io/usd.h"

#include "io/bvh/up_axis.h"

namespace zoe::io {
namespace {

struct Extension {
  std::string_view text;
  Format format;
};
constexpr std::array<Extension, 8> kExtensions{{{".bvh", Format::kBvh},
                                                {".glb", Format::kGlb},
                                                {".gltf", Format::kGltf},
                                                {".fbx", Format::kFbx},
                                                {".npz", Format::kNpz},
                                                {".obj", Format::kObj},
                                                {".usda", Format::kUsda},
                                                {".usdz", Format::kUsdz}}};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return text;
}

// First word of a text file, past a byte order mark and blanks; `;` opens an ASCII FBX comment.
std::string_view first_word(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, std::min(text.find_first_of(" \t\r\n{"), text.size()));
}

}  // namespace

std::optional<Format> format_of_extension(const std::filesystem::path& name) {
  const std::string extension = lower_case(name.extension().string());
  for (const Extension& known : kExtensions) {
    if (extension == known.text) return known.format;
  }
  return std::nullopt;
}

std::span<const std::string_view> readable_extensions() {
  static constexpr std::array<std::string_view, 8> kReadable{".bvh", ".glb",  ".gltf", ".fbx",
                                                             ".npz", ".usda", ".usdz", ".vrm"};
  return kReadable;
}

std::optional<Format> detect_format(std::span<const std::byte> head, const std::filesystem::path& name) {
  const std::string_view text = as_text(head.first(std::min<std::size_t>(head.size(), 4096)));
  if (text.starts_with("glTF")) return Format::kGlb;
  if (text.starts_with("Kaydara FBX Binary")) return Format::kFbx;
  // Binary USD too: its reader says what to do about it.
  if (text.starts_with("#usda ") || text.starts_with("PXR-USDC")) return Format::kUsda;
  if (text.starts_with("PK\x03\x04") && format_of_extension(name) == Format::kUsdz) return Format::kUsdz;
  if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) return Format::kNpz;
  if (lower_case(std::string(first_word(text))) == "hierarchy") return Format::kBvh;
  if (text.find("FBXHeaderExtension") != std::string_view::npos) return Format::kFbx;
  const std::optional<Format> named = format_of_extension(name);
  if (!named && first_word(text).empty() && text.find('{') != std::string_view::npos) return Format::kGltf;
  return named;
}

namespace {

Error unknown_format(const std::string& file) {
  if (format_of_extension(file) == Format::kObj) {
    return {ErrorCode::kUnsupported,
            fmt::format("OBJ has no skeleton and no motion, and is only written; read one of {}",
                        fmt::join(readable_extensions(), " ")),
            {.file = file}};
  }
  return {ErrorCode::kUnsupported,
          fmt::format("not a supported file; supported are {}", fmt::join(readable_extensions(), " ")),
          {.file = file}};
}

// With the up axis along which the body stands, where that is clear.
Result<Asset> read_bvh_upright(std::span<const std::byte> bytes, const std::string& name, const ReadLimits& limits) {
  ZOE_TRY_ASSIGN(Asset asset, read_bvh(bytes, name, {.up = 'y', .limits = limits}));
  if (bvh::likely_up_axis(*asset.character->skeleton, asset.clips.empty() ? nullptr : &asset.clips[0]) != 'z')
    return asset;
  ZOE_TRY_ASSIGN(Asset turned, read_bvh(bytes, name, {.up = 'z', .limits = limits}));
  turned.warnings.push_back(
      {"the file states no up axis; the body stands along z, so it was read with z up "
       "(--bvh-up y reads it as it is)",
       {.file = name}});
  return turned;
}

}  // namespace

Result<Asset> read_asset(const std::filesystem::path& path, const ReadOptions& options) {
  ZOE_TRACE_SCOPE("io.read_asset");
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  const std::optional<Format> format = detect_format(file.bytes(), path);
  // glTF reads its buffers and images from the folder of the file.
  if (format == Format::kGltf || format == Format::kGlb) {
    return read_gltf(path, {.fps = options.fps, .limits = options.limits});
  }
  if (format == Format::kUsda || format == Format::kUsdz)
    return read_usd(path, {.fps = options.fps, .limits = options.limits});
  return read_asset(file.bytes(), path.string(), options);
}

Result<Asset> read_asset(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options) {
  const std::optional<Format> format = detect_format(bytes, name);
  if (!format) return unknown_format(name);
  switch (*format) {
    case Format::kBvh:
      return options.bvh_up == 'a' ? read_bvh_upright(bytes, name, options.limits)
                                   : read_bvh(bytes, name, {.up = options.bvh_up, .limits = options.limits});
    case Format::kGltf:
    case Format::kGlb:
      return read_gltf(bytes, {.fps = options.fps, .limits = options.limits});
    case Format::kFbx:
      return read_fbx(bytes, name, {.fps = options.fps, .limits = options.limits});
    case Format::kNpz:
      return read_motion_npz(bytes, name, {.limits = options.limits});
    case Format::kUsda:
    case Format::kUsdz:
      return read_usd(bytes, name, {.fps = options.fps, .limits = options.limits});
    case Format::kObj:
      break;
  }
  return unknown_format(name);
}

}  // namespace zoe::io
