// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "io/fbx/write_parts.h"

namespace zoe::io::fbx {
namespace {

std::string file_name_of(const Image& image, std::size_t index) {
  if (!image.path.empty()) return image.path;
  std::string name = image.name.empty() ? fmt::format("image_{}", index) : image.name;
  const char* extension = image.mime_type == "image/png"    ? ".png"
                          : image.mime_type == "image/jpeg" ? ".jpg"
                          : image.mime_type == "image/webp" ? ".webp"
                                                            : "";
  if (!name.ends_with(extension)) name += extension;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

class TextureWriter {
 public:
  TextureWriter(const Character& character, ObjectWriter& objects)
      : character_(character), objects_(objects), ids_(character.images.size(), 0) {}

  // Connects an image to a material's property; -1 is none.
  void connect(int image, std::int64_t material, const char* property) {
    if (image < 0) return;
    if (ids_[idx(image)] == 0) ids_[idx(image)] = write(idx(image));
    objects_.connect(ids_[idx(image)], material, property);
  }

 private:
  std::int64_t write(std::size_t index) {
    const Image& image = character_.images[index];
    const std::string file = file_name_of(image, index);
    RecordWriter& out = objects_.out;
    const std::int64_t video = objects_.new_id(), texture = objects_.new_id();
    objects_.begin("Video", video, image.name, "Video", "Clip");
    out.record("Type", "Clip");
    out.begin("Properties70");
    out.property("Path", "KString", "XRefUrl", "", std::string_view(file));
    out.end();
    out.record("UseMipMap", 0);
    out.record("Filename", std::string_view(file));
    out.record("RelativeFilename", std::string_view(file));
    if (!image.bytes.empty()) out.record("Content", RawBytes{image.bytes});
    out.end();
    objects_.begin("Texture", texture, image.name, "Texture", "");
    out.record("Type", "TextureVideoClip");
    out.record("Version", 202);
    const std::string full = image.name + std::string("\0\1Texture", 9);
    out.record("TextureName", std::string_view(full));
    const std::string media = image.name + std::string("\0\1Video", 7);
    out.record("Media", std::string_view(media));
    out.record("FileName", std::string_view(file));
    out.record("RelativeFilename", std::string_view(file));
    out.begin("Properties70");
    out.property("UseMaterial", "bool", "", "", 1);
    out.end();
    out.end();
    objects_.connect(video, texture);
    return texture;
  }

  const Character& character_;
  ObjectWriter& objects_;
  std::vector<std::int64_t> ids_;  // 0: not written yet.
};

void write_properties(const Material& material, RecordWriter& out) {
  const auto color = [&](const char* name, double r, double g, double b) {
    out.property(name, "Color", "", "A", r, g, b);
  };
  const auto number = [&](const char* name, double value) { out.property(name, "Number", "", "A", value); };
  out.begin("Properties70");
  color("DiffuseColor", material.base_color.x, material.base_color.y, material.base_color.z);
  number("DiffuseFactor", 1);
  color("EmissiveColor", material.emissive.x, material.emissive.y, material.emissive.z);
  number("EmissiveFactor", 1);
  color("TransparentColor", 1, 1, 1);
  number("TransparencyFactor", 1 - material.base_color.w);
  out.property("Opacity", "double", "Number", "", static_cast<double>(material.base_color.w));
  // Inverse of the roughness that the reader gives to a Phong exponent; a roughness of 1 has no highlight.
  const double r = std::clamp(static_cast<double>(material.roughness), 0.05, 1.0);
  number("ShininessExponent", 2 / (r * r * r * r) - 2);
  number("ReflectionFactor", material.metallic);  // What Blender reads as metallic.
  out.end();
}

}  // namespace

std::vector<std::int64_t> write_materials(const Character& character, ObjectWriter& objects, Warnings& warnings) {
  std::vector<std::int64_t> ids;
  TextureWriter textures(character, objects);
  for (const Material& material : character.materials) {
    const std::int64_t id = objects.new_id();
    objects.begin("Material", id, material.name, "Material", "");
    objects.out.record("Version", 102);
    objects.out.record("ShadingModel", "phong");
    objects.out.record("MultiLayer", 0);
    write_properties(material, objects.out);
    objects.out.end();
    textures.connect(material.base_color_image, id, "DiffuseColor");
    textures.connect(material.normal_image, id, "NormalMap");
    textures.connect(material.emissive_image, id, "EmissiveColor");
    if (material.metallic_roughness_image >= 0 || material.occlusion_image >= 0) {
      warnings.push_back({fmt::format("material '{}' has a metallic-roughness or occlusion image, which FBX's Phong "
                                      "material cannot hold; it is omitted",
                                      material.name),
                          {}});
    }
    ids.push_back(id);
  }
  return ids;
}

}  // namespace zoe::io::fbx
