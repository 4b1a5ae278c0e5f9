// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/usd.h"

#include "io/npz/zip.h"
#include "io/usd/read_parts.h"
#include "io/usd/values.h"
#include "io/usd/xform.h"

namespace zoe::io {
namespace {

using namespace usd;
using TextureSource = std::function<std::vector<std::byte>(const std::string&)>;

// A name below the file's own folder: no absolute path, no way up.
bool stays_inside(const std::filesystem::path& path) {
  return path.is_relative() && std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

Result<Asset> read_text(std::string_view text, const std::string& name, const UsdReadOptions& options,
                        TextureSource textures) {
  Asset asset;
  ZOE_TRY_ASSIGN(const Document document, Document::parse(text, &asset.warnings));
  gltf::Budget budget(options.limits.max_decoded_bytes, text.size(), options.expansion_allowance);
  ReadStage stage{.document = document, .options = options, .warnings = asset.warnings, .budget = budget};
  stage.character = std::make_shared<Character>();
  stage.texture = std::move(textures);
  const auto number = [&](const char* key, double fallback) {
    const std::string_view value = document.layer_entry(key);
    return value.empty() ? fallback : metadata_number(fmt::format("{} = {}", key, value), key, fallback);
  };
  stage.metres_per_unit = number("metersPerUnit", 0.01);
  if (!(stage.metres_per_unit > 1e-9 && stage.metres_per_unit < 1e9)) {
    asset.warnings.push_back({"metersPerUnit is not usable; centimetres are assumed", {}});
    stage.metres_per_unit = 0.01;
  }
  stage.codes_per_second = number("timeCodesPerSecond", number("framesPerSecond", 24));
  if (!(stage.codes_per_second > 1e-6 && stage.codes_per_second < 1e6)) stage.codes_per_second = 24;
  const std::vector<std::string_view> up = read_tokens(document.layer_entry("upAxis"));
  const char up_axis = !up.empty() && up[0] == "Z" ? 'z' : 'y';
  if (up_axis == 'z') stage.model_from_stage = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}, {}};
  bool sampled = false;
  ZOE_TRY_ASSIGN(stage.world, world_transforms(document, &sampled));
  if (sampled) {
    asset.warnings.push_back(
        {"transforms of prims move; their first sample is taken. Only skeletal animation is read", {}});
  }
  ZOE_TRY(read_skeletons(stage));
  ZOE_TRY(read_materials(stage));
  ZOE_TRY(read_meshes(stage));
  const std::vector<std::string_view> root = read_tokens(document.layer_entry("defaultPrim"));
  const int prim = root.empty() ? -1 : document.find("/" + std::string(root[0]));
  const auto display = prim >= 0 ? read_tokens(metadata_entry(document.prim(prim).metadata, "displayName"))
                                 : std::vector<std::string_view>();
  stage.character->name = !display.empty() ? unescaped(display[0]) : std::filesystem::path(name).stem().string();
  ZOE_TRY(validate(*stage.character));
  ZOE_TRY_ASSIGN(asset.clips, read_animations(stage));
  const std::vector<std::string_view> doc = read_tokens(document.layer_entry("doc"));
  asset.character = std::move(stage.character);
  asset.source = {.format = "usda",
                  .format_version = "1.0",
                  .generator = doc.empty() ? std::string() : unescaped(doc[0].substr(0, 200)),
                  .metres_per_unit = stage.metres_per_unit,
                  .unit_known = true,
                  .up_axis = up_axis};
  return asset;
}

// The first file of the archive is the scene. Its textures lie beside it.
Result<Asset> read_archive(std::span<const std::byte> bytes, const std::string& name, const UsdReadOptions& options) {
  ZOE_TRY_ASSIGN(const std::vector<ZipEntry> entries, read_zip_directory(bytes));
  if (entries.empty() || entries[0].deflated)
    return Error{ErrorCode::kInvalid, "a .usdz holds stored files, the scene first", {}};
  const auto texture = [&](const std::string& path) -> std::vector<std::byte> {
    for (const ZipEntry& entry : entries) {
      if (entry.name == path && !entry.deflated && verify_entry(entry))
        return {entry.stored.begin(), entry.stored.end()};
    }
    return {};
  };
  ZOE_TRY(verify_entry(entries[0]));
  ZOE_TRY_ASSIGN(Asset asset, read_text(as_text(entries[0].stored), name, options, texture));
  asset.source.format = "usdz";
  return asset;
}

}  // namespace

Result<Asset> read_usd(std::span<const std::byte> bytes, const std::string& name, const UsdReadOptions& options) {
  TextureSource texture;
  if (!options.base_folder.empty()) {
    texture = [folder = options.base_folder](const std::string& path) -> std::vector<std::byte> {
      if (!stays_inside(path)) return {};
      const Result<MappedFile> file = MappedFile::open(folder / path);
      return file ? std::vector<std::byte>(file->bytes().begin(), file->bytes().end()) : std::vector<std::byte>();
    };
  }
  const bool archive = as_text(bytes.first(std::min<std::size_t>(bytes.size(), 4))) == "PK\x03\x04";
  Result<Asset> result =
      archive ? read_archive(bytes, name, options) : read_text(as_text(bytes), name, options, std::move(texture));
  if (!result) {
    Error error = std::move(result).error();
    error.where.file = name;
    return error;
  }
  for (Warning& warning : result->warnings) warning.where.file = name;
  return result;
}

Result<Asset> read_usd(const std::filesystem::path& path, const UsdReadOptions& options) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  UsdReadOptions chosen = options;
  if (chosen.base_folder.empty()) chosen.base_folder = path.parent_path().empty() ? "." : path.parent_path();
  return read_usd(file.bytes(), path.string(), chosen);
}

}  // namespace zoe::io
