// SPDX-License-Identifier: MIT
#include "io/fbx/materials.h"

#include <algorithm>
#include <cmath>

#include "io/fbx/properties.h"

namespace zoe::io::fbx {
namespace {

std::string mime_type_of(std::string_view path) {
  std::string extension(path.substr(std::min(path.rfind('.'), path.size())));
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  if (extension == ".png") return "image/png";
  if (extension == ".jpg" || extension == ".jpeg") return "image/jpeg";
  if (extension == ".webp") return "image/webp";
  return {};
}

std::string_view path_of(const Document& document, const Node& node) {
  for (const std::string_view name : {"RelativeFilename", "RelativeFileName", "Filename", "FileName"}) {
    const std::string_view path = document.string_of(node, name, "");
    if (!path.empty()) return path;
  }
  return {};
}

// Colour times its factor, each within 0..1.
Vec3 color(const PropertyList& list, std::string_view name, std::string_view factor_name, Vec3d fallback) {
  const double factor = std::clamp(list.real(factor_name, 1), 0.0, 1.0);
  const Vec3d c = list.vec3(name, fallback) * factor;
  return to_float(Vec3d{std::clamp(c.x, 0.0, 1.0), std::clamp(c.y, 0.0, 1.0), std::clamp(c.z, 0.0, 1.0)});
}

}  // namespace

MaterialReader::MaterialReader(const Document& document, const ObjectGraph& graph, Character* character)
    : document_(document), graph_(graph), character_(character), index_of_object_(graph.objects().size(), -1) {}

std::vector<int> MaterialReader::materials_of(std::uint32_t model) {
  std::vector<int> materials;
  for (const Link& link : graph_.sources(model)) {
    if (graph_.object(link.object).kind == ObjectKind::kMaterial) materials.push_back(material(link.object, model));
  }
  return materials;
}

int MaterialReader::image(std::uint32_t texture) {
  if (index_of_object_[texture] >= 0) return index_of_object_[texture];
  const Object& object = graph_.object(texture);
  Image image;
  image.name = object.name();
  if (object.record != nullptr) image.path = path_of(document_, document_.node_at(object.record));
  for (const Link& link : graph_.sources(texture)) {
    const Object& video = graph_.object(link.object);
    if (video.kind != ObjectKind::kVideo || video.record == nullptr) continue;
    const Node node = document_.node_at(video.record);
    if (image.path.empty()) image.path = path_of(document_, node);
    const auto content = document_.child(node, "Content");
    if (content && image.bytes.empty()) image.bytes = document_.read_bytes(*content);
  }
  image.mime_type = mime_type_of(image.path);
  index_of_object_[texture] = static_cast<int>(character_->images.size());
  character_->images.push_back(std::move(image));
  return index_of_object_[texture];
}

int MaterialReader::material(std::uint32_t object, std::uint32_t model) {
  if (index_of_object_[object] >= 0) return index_of_object_[object];
  const PropertyList list(document_, graph_, graph_.object(object));
  Material material;
  material.name = graph_.object(object).name();
  const Vec3 diffuse = color(list, "DiffuseColor", "DiffuseFactor", list.vec3("Diffuse", {0.8, 0.8, 0.8}));
  double opacity = list.real("Opacity", 1 - list.real("TransparencyFactor", 0));
  // Many exporters write a transparency factor of 1 beside a black transparent colour, which means
  // opaque.
  if (!list.has("Opacity") && list.vec3("TransparentColor", {1, 1, 1}) == Vec3d{}) opacity = 1;
  material.base_color = {diffuse.x, diffuse.y, diffuse.z, static_cast<float>(std::clamp(opacity, 0.0, 1.0))};
  if (opacity < 0.999) material.alpha_mode = Material::AlphaMode::kBlend;
  material.emissive = color(list, "EmissiveColor", "EmissiveFactor", {});
  // A Phong lobe of exponent n is about as wide as a GGX lobe of roughness² = sqrt(2 / (n + 2)).
  const double shininess = list.real("ShininessExponent", list.real("Shininess", 0));
  if (shininess > 0) material.roughness = static_cast<float>(std::sqrt(std::sqrt(2.0 / (shininess + 2.0))));

  const auto add_textures = [&](std::uint32_t owner, bool any_is_diffuse) {
    for (const Link& link : graph_.sources(owner)) {
      if (graph_.object(link.object).kind != ObjectKind::kTexture) continue;
      const std::string_view property = graph_.property(link);
      if (property == "DiffuseColor" || (any_is_diffuse && material.base_color_image < 0)) {
        material.base_color_image = image(link.object);
      } else if (property == "NormalMap" || property == "Bump") {
        material.normal_image = image(link.object);
      } else if (property == "EmissiveColor") {
        material.emissive_image = image(link.object);
      }
    }
  };
  add_textures(object, false);
  if (material.base_color_image < 0) add_textures(model, true);  // 6.x connects textures to the model.
  index_of_object_[object] = static_cast<int>(character_->materials.size());
  character_->materials.push_back(std::move(material));
  return index_of_object_[object];
}

}  // namespace zoe::io::fbx
