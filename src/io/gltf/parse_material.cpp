// SPDX-License-Identifier: MIT
#include <array>

#include "io/gltf/parse_parts.h"

namespace zoe::io::gltf {
namespace {

// Index of the texture in a textureInfo, or -1. Records features that our Material does not have.
int texture(const JsonObject& owner, std::string_view key, bool& uses_more) {
  const auto info = owner.object(key);
  if (!info) return -1;
  if (info->size("texCoord", 0) != 0) uses_more = true;
  if (const auto extensions = info->object("extensions")) uses_more |= extensions->has("KHR_texture_transform");
  return info->required_index("index");
}

Vec4 color4(const JsonObject& owner, std::string_view key) {
  std::array<double, 4> c{1, 1, 1, 1};
  owner.numbers(key, c);
  return {float(c[0]), float(c[1]), float(c[2]), float(c[3])};
}

Material parse_material(const JsonObject& object, bool& uses_more) {
  Material material;
  material.name = object.text("name");
  material.metallic = 1;  // glTF's defaults differ from ours.
  if (const auto pbr = object.object("pbrMetallicRoughness")) {
    material.base_color = color4(*pbr, "baseColorFactor");
    material.base_color_image = texture(*pbr, "baseColorTexture", uses_more);
    material.metallic = static_cast<float>(pbr->number("metallicFactor", 1));
    material.roughness = static_cast<float>(pbr->number("roughnessFactor", 1));
    material.metallic_roughness_image = texture(*pbr, "metallicRoughnessTexture", uses_more);
  }
  if (const auto extensions = object.object("extensions")) {
    // The older model: its diffuse part corresponds to our base colour.
    if (const auto gloss = extensions->object("KHR_materials_pbrSpecularGlossiness")) {
      material.base_color = color4(*gloss, "diffuseFactor");
      material.base_color_image = texture(*gloss, "diffuseTexture", uses_more);
      material.metallic = 0;
      material.roughness = 1.0F - static_cast<float>(gloss->number("glossinessFactor", 1));
    }
  }
  material.normal_image = texture(object, "normalTexture", uses_more);
  if (const auto info = object.object("normalTexture")) {
    material.normal_scale = static_cast<float>(info->number("scale", 1));
  }
  material.occlusion_image = texture(object, "occlusionTexture", uses_more);
  if (const auto info = object.object("occlusionTexture")) {
    material.occlusion_strength = static_cast<float>(info->number("strength", 1));
  }
  std::array<double, 3> emissive{};
  object.numbers("emissiveFactor", emissive);
  material.emissive = {float(emissive[0]), float(emissive[1]), float(emissive[2])};
  material.emissive_image = texture(object, "emissiveTexture", uses_more);
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
    bool uses_more = false;
    document.materials.push_back(parse_material(object, uses_more));
    if (uses_more) {
      warnings.push_back(
          {"a texture uses another uv set or KHR_texture_transform; drawn with the first uv set, untransformed",
           {.joint = object.path()}});
    }
  });
}

}  // namespace zoe::io::gltf
