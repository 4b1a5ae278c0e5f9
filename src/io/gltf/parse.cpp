// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "io/gltf/document.h"
#include "io/gltf/json.h"
#include "io/gltf/parse_parts.h"

namespace zoe::io::gltf {
namespace {

// Deep enough for any exporter. Limits the parser's stack for hostile files.
constexpr std::size_t kMaxDepth = 256;
// Elements of one list. Nodes have their own limit. Limits the size of "{},{},{},…".
constexpr std::size_t kMaxElements = 1 << 20;
constexpr std::size_t kMaxSmallElements = 1 << 16;

// Extensions that do not matter here, or that are supported.
constexpr std::array<std::string_view, 12> kKnownRequired{
    "KHR_mesh_quantization", "KHR_texture_transform",      "KHR_lights_punctual",     "KHR_materials_unlit",
    "EXT_texture_webp",      "KHR_texture_basisu",         "KHR_xmp_json_ld",         "KHR_animation_pointer",
    "KHR_node_visibility",   "KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"};

void check_extensions(const JsonObject& root) {
  for (const std::string& name : root.text_list("extensionsRequired")) {
    if (!name.starts_with("KHR_materials_") &&
        std::find(kKnownRequired.begin(), kKnownRequired.end(), name) == kKnownRequired.end()) {
      root.fail("extensionsRequired", ErrorCode::kUnsupported,
                fmt::format("names '{}', which is not known here; export again without it", name));
    }
  }
}

void parse_asset(const JsonObject& root, Document& document) {
  const auto asset = root.object("asset");
  if (!asset) return root.fail("asset", ErrorCode::kSyntax, "is missing: this is not a glTF 2.0 file");
  document.version = asset->text("version");
  document.generator = asset->text("generator");
  if (!document.version.starts_with("2.")) {
    asset->fail("version", ErrorCode::kUnsupported,
                fmt::format("is '{}'; only glTF 2.x is read: convert the file to 2.0", document.version));
  }
  JsonStatus ignored;
  if (const auto extras = asset->lenient_object("extras", ignored)) {
    document.character_name = extras->text("zoe_character");
  }
}

void parse_scenes(const JsonObject& root, Document& document) {
  document.default_scene = root.index("scene");
  root.each("scenes", kMaxSmallElements, [&](const JsonObject& scene, std::size_t) {
    document.scene_names.push_back(scene.text("name"));
    document.scene_roots.push_back(scene.index_list("nodes"));
  });
}

void parse_textures(const JsonObject& root, Document& document) {
  root.each("textures", kMaxSmallElements, [&](const JsonObject& texture, std::size_t) {
    int source = texture.index("source");
    // The extensions name a better image beside (or instead of) the plain one.
    if (const auto extensions = texture.object("extensions"); extensions && source < 0) {
      for (const std::string_view name : {"EXT_texture_webp", "KHR_texture_basisu", "MSFT_texture_dds"}) {
        if (const auto extension = extensions->object(name)) source = extension->index("source");
      }
    }
    document.texture_images.push_back(source);
  });
  root.each("images", kMaxSmallElements, [&](const JsonObject& image, std::size_t) {
    document.images.push_back({image.text("name"), image.text_view("uri", document.unescaped_uris),
                               image.text("mimeType"), image.index("bufferView")});
  });
}

void parse_skins(const JsonObject& root, Document& document) {
  root.each("skins", kMaxSmallElements, [&](const JsonObject& skin, std::size_t) {
    document.skins.push_back({skin.text("name"), skin.index("inverseBindMatrices"), skin.index_list("joints")});
    JsonStatus ignored;
    if (const auto extras = skin.lenient_object("extras", ignored); extras && extras->text("zoe_blend") == kDualBlend) {
      document.skins.back().blend = SkinBlend::kDualQuaternion;
    }
    if (document.skins.back().joints.empty()) skin.fail("joints", ErrorCode::kInvalid, "names no joint");
  });
}

}  // namespace

Result<Document> parse_document(std::string_view json, const ReadLimits& limits, Warnings& warnings) {
  ZOE_TRY_ASSIGN(const JsonTape tape, JsonTape::parse(json, kMaxDepth));
  if (!tape.root().is_object())
    return Error{ErrorCode::kSyntax, "the JSON is not an object: this is not a glTF file", {}};

  JsonStatus status;
  const JsonObject root(status, tape.root());
  Document document;
  parse_asset(root, document);
  if (root.ok()) check_extensions(root);
  if (root.ok()) parse_buffers(root, kMaxElements, document);
  if (root.ok()) parse_meshes(root, kMaxSmallElements, document);
  if (root.ok()) parse_nodes(root, limits.max_joints, document);
  if (root.ok()) parse_skins(root, document);
  if (root.ok()) parse_animations(root, kMaxElements, document, warnings);
  if (root.ok()) parse_textures(root, document);
  if (root.ok()) parse_materials(root, kMaxSmallElements, document, warnings);
  if (root.ok()) parse_scenes(root, document);
  if (status.error) return std::move(*status.error);
  ZOE_TRY(check_references(document));
  return document;
}

}  // namespace zoe::io::gltf
