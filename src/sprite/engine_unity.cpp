// SPDX-License-Identifier: MIT
// The .meta file of a texture in Unity: a TextureImporter with one sprite per frame. Rectangles count from the bottom
// left; pivots are relative to the trimmed rectangle and may be outside of it.
#include <cctype>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/hash64.h"
#include "zoe/sprite/engine_files.h"

#include "sprite/json_pieces.h"

namespace zoe::sprite {
namespace {

// 32 hexadecimal digits from a name: the same on every run.
std::string id_of(const std::string& name) {
  return fmt::format("{:016x}{:016x}", hash64(as_bytes(name), 1), hash64(as_bytes(name), 2));
}

// Unity's own numbers are 64-bit with a sign, and never 0.
std::int64_t number_of(const std::string& name) { return static_cast<std::int64_t>(hash64(as_bytes(name), 3) | 1U); }

}  // namespace

std::string unity_guid(std::string_view meta) {
  constexpr std::string_view kKey = "guid: ";
  const std::size_t at = meta.find(kKey);
  if (at == std::string_view::npos) return {};
  const std::string_view guid = meta.substr(at + kKey.size(), 32);
  if (guid.size() != 32) return {};
  for (const char c : guid) {
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return {};
  }
  return std::string(guid);
}

std::string unity_meta(const FrameSet& set, const Sheet& sheet, const SheetNames& names, const std::string& guid) {
  std::string ids, sprites, table;
  for (std::size_t i = 0; i < sheet.frames.size(); ++i) {
    const Placement& at = sheet.frames[i];
    const std::string name = names.title + "_" + frame_name(set, static_cast<int>(i));
    std::string text;
    append_json_string(text, name);
    ids += fmt::format("  - first:\n      213: {}\n    second: {}\n", number_of(name), text);
    table += fmt::format("      {}: {}\n", text, number_of(name));
    const double pivot_x = static_cast<double>(set.pivot_x - at.canvas_x) / at.width,
                 pivot_y = 1 - static_cast<double>(set.pivot_y - at.canvas_y) / at.height;
    sprites += fmt::format(
        "    - serializedVersion: 2\n      name: {}\n      rect:\n        serializedVersion: 2\n        x: {}\n"
        "        y: {}\n        width: {}\n        height: {}\n      alignment: 9\n      pivot: {{x: {}, y: {}}}\n"
        "      border: {{x: 0, y: 0, z: 0, w: 0}}\n      outline: []\n      physicsShape: []\n      "
        "tessellationDetail: "
        "0\n      bones: []\n      spriteID: {}\n      internalID: {}\n      vertices: []\n      indices: \n"
        "      edges: []\n      weights: []\n",
        text, at.x, sheet.picture.height - at.y - at.height, at.width, at.height, json_number(pivot_x),
        json_number(pivot_y), id_of(name), number_of(name));
  }
  const double pixels_per_unit = set.pixels_per_metre > 0 ? static_cast<double>(set.pixels_per_metre) : 100;
  return fmt::format(
      "fileFormatVersion: 2\nguid: {}\nTextureImporter:\n  internalIDToNameTable:\n{}  externalObjects: {{}}\n"
      "  serializedVersion: 12\n  mipmaps:\n    mipMapMode: 0\n    enableMipMap: 0\n    sRGBTexture: 1\n"
      "  isReadable: 0\n  textureFormat: 1\n  maxTextureSize: 8192\n  textureSettings:\n    serializedVersion: 2\n"
      "    filterMode: 0\n    aniso: 1\n    mipBias: 0\n    wrapU: 1\n    wrapV: 1\n    wrapW: 1\n  nPOTScale: 0\n"
      "  lightmap: 0\n  compressionQuality: 50\n  spriteMode: 2\n  spriteExtrude: 1\n  spriteMeshType: 0\n"
      "  alignment: 0\n  spritePivot: {{x: 0.5, y: 0.5}}\n  spritePixelsToUnits: {}\n  alphaUsage: 1\n"
      "  alphaIsTransparency: 1\n  textureType: 8\n  textureShape: 1\n  platformSettings:\n  - serializedVersion: 3\n"
      "    buildTarget: DefaultTexturePlatform\n    maxTextureSize: 8192\n    resizeAlgorithm: 0\n    textureFormat: "
      "-1\n"
      "    textureCompression: 0\n    compressionQuality: 50\n    crunchedCompression: 0\n  spriteSheet:\n"
      "    serializedVersion: 2\n    sprites:\n{}    outline: []\n    physicsShape: []\n    bones: []\n    spriteID: \n"
      "    internalID: 0\n    nameFileIdTable:\n{}  userData: \n  assetBundleName: \n  assetBundleVariant: \n",
      guid.empty() ? id_of(names.title + "/" + names.image) : guid, ids, json_number(pixels_per_unit), sprites, table);
}

}  // namespace zoe::sprite
