// SPDX-License-Identifier: MIT
#include <array>
#include <optional>

#include <fmt/format.h>

#include "io/gltf/parse_parts.h"

namespace zoe::io::gltf {
namespace {

// What the textures of one material share. Our Material has one uv set, whose transform is written into
// the mesh.
struct Layout {
  std::optional<UvTransform> transform;  // Of the first texture.
  bool uses_more = false;                // Another texture needs another one, or another uv set.
};

// Index of the texture in a textureInfo, or -1.
int texture(const JsonObject& owner, std::string_view key, Layout& layout) {
  const auto info = owner.object(key);
  if (!info) return -1;
  std::size_t uv_set = info->size("texCoord", 0);
  UvTransform transform;
  if (const auto extensions = info->object("extensions")) {
    if (const auto stated = extensions->object("KHR_texture_transform")) {
      stated->numbers("offset", transform.offset);
      stated->numbers("scale", transform.scale);
      transform.rotation = stated->number("rotation", 0);
      uv_set = stated->size("texCoord", uv_set);
    }
  }
  if (!layout.transform) layout.transform = transform;
  if (uv_set != 0 || *layout.transform != transform) layout.uses_more = true;
  return info->required_index("index");
}

Vec4 color4(const JsonObject& owner, std::string_view key) {
  std::array<double, 4> c{1, 1, 1, 1};
  owner.numbers(key, c);
  return {float(c[0]), float(c[1]), float(c[2]), float(c[3])};
}

Material parse_material(const JsonObject& object, Layout& layout) {
  Material material;
  material.name = object.text("name");
  material.metallic = 1;  // glTF's defaults differ from ours.
  if (const auto pbr = object.object("pbrMetallicRoughness")) {
    material.base_color = color4(*pbr, "baseColorFactor");
    material.base_color_image = texture(*pbr, "baseColorTexture", layout);
    material.metallic = static_cast<float>(pbr->number("metallicFactor", 1));
    material.roughness = static_cast<float>(pbr->number("roughnessFactor", 1));
    material.metallic_roughness_image = texture(*pbr, "metallicRoughnessTexture", layout);
  }
  if (const auto extensions = object.object("extensions")) {
    // The older model: its diffuse part corresponds to our base colour.
    if (const auto gloss = extensions->object("KHR_materials_pbrSpecularGlossiness")) {
      material.base_color = color4(*gloss, "diffuseFactor");
      material.base_color_image = texture(*gloss, "diffuseTexture", layout);
      material.metallic = 0;
      material.roughness = 1.0F - static_cast<float>(gloss->number("glossinessFactor", 1));
    }
  }
  material.normal_image = texture(object, "normalTexture", layout);
  if (const auto info = object.object("normalTexture")) {
    material.normal_scale = static_cast<float>(info->number("scale", 1));
  }
  material.occlusion_image = texture(object, "occlusionTexture", layout);
  if (const auto info = object.object("occlusionTexture")) {
    material.occlusion_strength = static_cast<float>(info->number("strength", 1));
  }
  std::array<double, 3> emissive{};
  object.numbers("emissiveFactor", emissive);
  material.emissive = {float(emissive[0]), float(emissive[1]), float(emissive[2])};
  material.emissive_image = texture(object, "emissiveTexture", layout);
  const std::string mode = object.text("alphaMode", "OPAQUE");
  if (mode == "MASK")
    material.alpha_mode = Material::AlphaMode::kMask;
  else if (mode == "BLEND")
    material.alpha_mode = Material::AlphaMode::kBlend;
  else if (mode != "OPAQUE")
    object.fail("alphaMode", ErrorCode::kInvalid, "'" + mode + "' does not exist");
  material.alpha_cutoff = static_cast<float>(object.number("alphaCutoff", 0.5));
  material.double_sided = object.flag("doubleSided", false);
  return material;
}

}  // namespace

void parse_materials(const JsonObject& root, std::size_t limit, Document& document, Warnings& warnings) {
  root.each("materials", limit, [&](const JsonObject& object, std::size_t) {
    Layout layout;
    document.materials.push_back(parse_material(object, layout));
    document.uv_transforms.push_back(layout.transform.value_or(UvTransform{}));
    if (layout.uses_more) {
      warnings.push_back({fmt::format("material '{}' has a texture with another uv set or transform than the first; "
                                      "drawn like the first",
                                      document.materials.back().name),
                          {}});
    }
  });
}

}  // namespace zoe::io::gltf
