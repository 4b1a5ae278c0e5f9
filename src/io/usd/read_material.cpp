// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/core/index.h"

#include "io/gltf/image_type.h"
#include "io/usd/read_parts.h"
#include "io/usd/values.h"

namespace zoe::io::usd {
namespace {

class MaterialReader {
 public:
  explicit MaterialReader(ReadStage& stage) : stage_(stage), document_(stage.document) {}

  Result<void> run() {
    for (std::size_t i = 0; i < document_.prims().size(); ++i) {
      if (document_.prims()[i].type != "Material") continue;
      const auto prim = static_cast<int>(i);
      const auto name = read_tokens(metadata_entry(document_.prim(prim).metadata, "displayName"));
      Material material;
      material.name = name.empty() ? std::string(document_.prim(prim).name) : unescaped(name[0]);
      const int surface = connected(prim, "outputs:surface").first;
      if (surface >= 0) ZOE_TRY(read_surface(surface, material));
      stage_.material_of_path.emplace(document_.path(prim), static_cast<int>(stage_.character->materials.size()));
      stage_.character->materials.push_back(std::move(material));
    }
    return {};
  }

 private:
  // Prim and output that an input is connected to, or -1.
  std::pair<int, std::string_view> connected(int prim, std::string_view name) const {
    const Attribute* link = document_.attribute(prim, name, AttributeKind::kTargets);
    if (link == nullptr) return {-1, {}};
    const std::vector<std::string_view> paths = read_paths(link->value);
    if (paths.empty()) return {-1, {}};
    const std::size_t dot = paths[0].find('.');
    return {document_.find(paths[0].substr(0, dot)), dot == std::string_view::npos ? "" : paths[0].substr(dot + 1)};
  }

  // Image of a texture shader, or -1.
  int image_of(int shader) {
    const Attribute* file = shader >= 0 ? document_.attribute(shader, "inputs:file") : nullptr;
    if (file == nullptr) return -1;
    std::string_view path = file->value;
    while (path.starts_with('@')) path.remove_prefix(1);
    path = path.substr(0, path.find('@'));
    const auto [known, is_new] =
        image_of_path_.emplace(std::string(path), static_cast<int>(stage_.character->images.size()));
    if (is_new) {
      Image image;
      image.path = path;
      image.name = path.substr(path.rfind('/') + 1);
      image.name = image.name.substr(0, image.name.rfind('.'));
      if (stage_.texture) image.bytes = stage_.texture(image.path);
      image.mime_type = gltf::image_type_of(image.bytes);
      if (!image.bytes.empty()) image.path.clear();
      stage_.character->images.push_back(std::move(image));
    }
    return known->second;
  }

  Result<std::vector<double>> numbers(int prim, const char* name) const {
    const Attribute* attribute = document_.attribute(prim, name);
    if (attribute == nullptr) return std::vector<double>();
    return read_numbers<double>(document_, attribute->value);
  }

  static float unit(double value) { return static_cast<float>(std::clamp(value, 0.0, 1.0)); }

  Result<void> read_surface(int prim, Material& material) {
    ZOE_TRY_ASSIGN(const std::vector<double> diffuse, numbers(prim, "inputs:diffuseColor"));
    const int diffuse_shader = connected(prim, "inputs:diffuseColor").first;
    material.base_color_image = image_of(diffuse_shader);
    if (material.base_color_image >= 0) {
      ZOE_TRY_ASSIGN(const std::vector<double> scale, numbers(diffuse_shader, "inputs:scale"));
      if (scale.size() == 4) material.base_color = {unit(scale[0]), unit(scale[1]), unit(scale[2]), unit(scale[3])};
    } else {
      material.base_color = {0.18F, 0.18F, 0.18F, 1};  // The default of UsdPreviewSurface.
      if (diffuse.size() == 3) material.base_color = {unit(diffuse[0]), unit(diffuse[1]), unit(diffuse[2]), 1};
    }
    ZOE_TRY_ASSIGN(const std::vector<double> emissive, numbers(prim, "inputs:emissiveColor"));
    if (emissive.size() == 3) material.emissive = {unit(emissive[0]), unit(emissive[1]), unit(emissive[2])};
    material.emissive_image = image_of(connected(prim, "inputs:emissiveColor").first);
    if (material.emissive_image >= 0) material.emissive = {1, 1, 1};
    ZOE_TRY_ASSIGN(const double opacity, read_number(document_, prim, "inputs:opacity", 1));
    ZOE_TRY_ASSIGN(const double threshold, read_number(document_, prim, "inputs:opacityThreshold", 0));
    const bool opacity_image = connected(prim, "inputs:opacity").first >= 0;
    if (!opacity_image) material.base_color.w = unit(opacity);
    if (threshold > 0) {
      material.alpha_mode = Material::AlphaMode::kMask;
      material.alpha_cutoff = unit(threshold);
    } else if (opacity_image || opacity < 0.999) {
      material.alpha_mode = Material::AlphaMode::kBlend;
    }
    ZOE_TRY_ASSIGN(const double metallic, read_number(document_, prim, "inputs:metallic", 0));
    ZOE_TRY_ASSIGN(const double roughness, read_number(document_, prim, "inputs:roughness", 0.5));
    const int packed = image_of(connected(prim, "inputs:roughness").first);
    // Ours holds both in one image: metallic in blue, roughness in green.
    if (packed >= 0 && connected(prim, "inputs:roughness").second == "outputs:g")
      material.metallic_roughness_image = packed;
    material.metallic = packed >= 0 && document_.attribute(prim, "inputs:metallic") == nullptr ? 1.0F : unit(metallic);
    material.roughness = packed >= 0 ? 1.0F : unit(roughness);
    material.normal_image = image_of(connected(prim, "inputs:normal").first);
    material.occlusion_image = image_of(connected(prim, "inputs:occlusion").first);
    return {};
  }

  ReadStage& stage_;
  const Document& document_;
  std::map<std::string, int> image_of_path_;
};

}  // namespace

Result<void> read_materials(ReadStage& stage) { return MaterialReader(stage).run(); }

}  // namespace zoe::io::usd
