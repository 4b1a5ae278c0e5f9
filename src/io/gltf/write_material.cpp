// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "io/gltf/image_type.h"
#include "io/gltf/write_parts.h"

namespace zoe::io::gltf {
namespace {

// Texture of each image, or -1 where the image cannot be written.
std::vector<int> write_images(const Character& character, DataWriter& data, Json& root, Warnings& warnings) {
  std::vector<int> texture_of;
  Json images = Json::array(), textures = Json::array();
  bool webp = false;
  for (const Image& image : character.images) {
    const std::string type = image_type_of(image.bytes);
    if (type != "image/png" && type != "image/jpeg" && type != "image/webp") {
      warnings.push_back(
          {image.bytes.empty()
               ? fmt::format("image '{}' skipped: only its path '{}' is known, not its content", image.name, image.path)
               : fmt::format("image '{}' skipped: glTF holds PNG, JPEG and WebP only", image.name),
           {}});
      texture_of.push_back(-1);
      continue;
    }
    const std::size_t index = images.size();
    images.push_back({{"name", image.name}, {"mimeType", type}, {"bufferView", data.append_blob(image.bytes)}});
    texture_of.push_back(static_cast<int>(textures.size()));
    if (type == "image/webp") {
      webp = true;
      textures.push_back({{"extensions", {{"EXT_texture_webp", {{"source", index}}}}}});
    } else {
      textures.push_back({{"source", index}});
    }
  }
  if (!images.empty()) {
    root["textures"] = std::move(textures);
    root["images"] = std::move(images);
  }
  if (webp) {
    root["extensionsUsed"].push_back("EXT_texture_webp");
    root["extensionsRequired"].push_back("EXT_texture_webp");
  }
  return texture_of;
}

Json write_material(const Material& m, const std::vector<int>& texture_of) {
  const auto put_texture = [&](Json& owner, const char* key, int image, const char* factor_key = nullptr,
                               float factor = 1) {
    if (image < 0 || texture_of[static_cast<std::size_t>(image)] < 0) return;
    Json info{{"index", texture_of[static_cast<std::size_t>(image)]}};
    if (factor_key != nullptr && factor != 1.0F) info[factor_key] = factor;
    owner[key] = std::move(info);
  };
  const auto unit = [](float v) { return v < 0 ? 0.0F : v > 1 ? 1.0F : v; };  // The validator requires 0..1.
  Json pbr{
      {"baseColorFactor", {unit(m.base_color.x), unit(m.base_color.y), unit(m.base_color.z), unit(m.base_color.w)}},
      {"metallicFactor", unit(m.metallic)},
      {"roughnessFactor", unit(m.roughness)}};
  put_texture(pbr, "baseColorTexture", m.base_color_image);
  put_texture(pbr, "metallicRoughnessTexture", m.metallic_roughness_image);
  Json out{{"name", m.name}, {"pbrMetallicRoughness", std::move(pbr)}};
  put_texture(out, "normalTexture", m.normal_image, "scale", m.normal_scale);
  put_texture(out, "occlusionTexture", m.occlusion_image, "strength", unit(m.occlusion_strength));
  put_texture(out, "emissiveTexture", m.emissive_image);
  if (!(m.emissive == Vec3{})) out["emissiveFactor"] = {unit(m.emissive.x), unit(m.emissive.y), unit(m.emissive.z)};
  if (m.alpha_mode == Material::AlphaMode::kMask) {
    out["alphaMode"] = "MASK";
    out["alphaCutoff"] = m.alpha_cutoff;
  }
  if (m.alpha_mode == Material::AlphaMode::kBlend) out["alphaMode"] = "BLEND";
  if (m.double_sided) out["doubleSided"] = true;
  return out;
}

}  // namespace

void write_materials(const Character& character, DataWriter& data, Json& root, Warnings& warnings) {
  const std::vector<int> texture_of = write_images(character, data, root, warnings);
  if (character.materials.empty()) return;
  Json materials = Json::array();
  for (const Material& material : character.materials) materials.push_back(write_material(material, texture_of));
  root["materials"] = std::move(materials);
}

}  // namespace zoe::io::gltf
