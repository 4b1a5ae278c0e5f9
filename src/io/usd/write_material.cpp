// SPDX-License-Identifier: MIT
#include <map>

#include "zoe/core/index.h"

#include "io/gltf/image_type.h"
#include "io/usd/write_parts.h"

namespace zoe::io::usd {
namespace {

// Files of the images that USD can display.
std::map<int, std::string> name_textures(OutStage& stage, const std::string& folder) {
  std::map<int, std::string> paths;
  Names names;
  for (std::size_t i = 0; i < stage.character.images.size(); ++i) {
    const Image& image = stage.character.images[i];
    const std::string type = image.bytes.empty() ? image.mime_type : gltf::image_type_of(image.bytes);
    const char* extension = type == "image/png" ? ".png" : type == "image/jpeg" ? ".jpg" : nullptr;
    if (image.bytes.empty() || extension == nullptr) {
      stage.warnings.push_back(
          {fmt::format("image '{}' is no PNG or JPEG inside the file; it is omitted", image.name), {}});
      continue;
    }
    const std::string path = folder + "/" + names.add(image.name, "image") + extension;
    paths.emplace(static_cast<int>(i), path);
    stage.textures.push_back({path, image.bytes});
  }
  return paths;
}

class MaterialWriter {
 public:
  MaterialWriter(const std::string& path, const std::map<int, std::string>& textures, TextWriter& out)
      : path_(path), textures_(textures), out_(out) {}

  void run(const Material& material) {
    out_.begin("Material", path_.substr(path_.rfind('/') + 1),
               {fmt::format("displayName = {}", in_quotes(material.name))});
    out_.line("token outputs:surface.connect = <{}/surface.outputs:surface>", path_);
    out_.begin("Shader", "surface");
    out_.line("uniform token info:id = \"UsdPreviewSurface\"");
    const Vec4& base = material.base_color;
    color("diffuseColor", Vec3{base.x, base.y, base.z}, material.base_color_image);
    color("emissiveColor", material.emissive, material.emissive_image);
    number("opacity", base.w, material.alpha_mode == Material::AlphaMode::kOpaque ? -1 : material.base_color_image,
           "a");
    if (material.alpha_mode == Material::AlphaMode::kMask)
      out_.line("float inputs:opacityThreshold = {}", material.alpha_cutoff);
    number("metallic", material.metallic, material.metallic_roughness_image, "b");
    number("roughness", material.roughness, material.metallic_roughness_image, "g");
    if (has(material.normal_image))
      out_.line("normal3f inputs:normal.connect = <{}/texture_{}.outputs:rgb>", path_, use(material.normal_image));
    if (has(material.occlusion_image))
      out_.line("float inputs:occlusion.connect = <{}/texture_{}.outputs:r>", path_, use(material.occlusion_image));
    out_.line("token outputs:surface");
    out_.end();
    write_textures(material);
    out_.end();
  }

 private:
  bool has(int image) const { return textures_.contains(image); }
  int use(int image) {
    used_.insert(image);
    return image;
  }

  void color(const char* name, Vec3 value, int image) {
    if (has(image))
      out_.line("color3f inputs:{}.connect = <{}/texture_{}.outputs:rgb>", name, path_, use(image));
    else
      out_.line("color3f inputs:{} = ({}, {}, {})", name, value.x, value.y, value.z);
  }
  void number(const char* name, float value, int image, const char* channel) {
    if (has(image))
      out_.line("float inputs:{}.connect = <{}/texture_{}.outputs:{}>", name, path_, use(image), channel);
    else
      out_.line("float inputs:{} = {}", name, value);
  }

  void write_textures(const Material& material) {
    for (const int image : used_) {
      out_.begin("Shader", fmt::format("texture_{}", image));
      out_.line("uniform token info:id = \"UsdUVTexture\"");
      out_.line("asset inputs:file = @{}@", textures_.at(image));
      out_.line("float2 inputs:st.connect = <{}/st.outputs:result>", path_);
      out_.line("token inputs:wrapS = \"repeat\"");
      out_.line("token inputs:wrapT = \"repeat\"");
      const bool is_color = image == material.base_color_image || image == material.emissive_image;
      out_.line("token inputs:sourceColorSpace = \"{}\"", is_color ? "sRGB" : "raw");
      if (image == material.normal_image) {  // From bytes to -1 … 1.
        out_.line("float4 inputs:scale = (2, 2, 2, 1)");
        out_.line("float4 inputs:bias = (-1, -1, -1, 0)");
      } else if (image == material.base_color_image && !(material.base_color == Vec4{1, 1, 1, 1})) {
        const Vec4& c = material.base_color;
        out_.line("float4 inputs:scale = ({}, {}, {}, {})", c.x, c.y, c.z, c.w);
      }
      for (const char* output :
           {"float3 outputs:rgb", "float outputs:r", "float outputs:g", "float outputs:b", "float outputs:a"})
        out_.line("{}", output);
      out_.end();
    }
    if (used_.empty()) return;
    out_.begin("Shader", "st");
    out_.line("uniform token info:id = \"UsdPrimvarReader_float2\"");
    out_.line("string inputs:varname = \"st\"");
    out_.line("float2 outputs:result");
    out_.end();
  }

  const std::string& path_;
  const std::map<int, std::string>& textures_;
  TextWriter& out_;
  std::set<int> used_;
};

}  // namespace

void write_materials(OutStage& stage, const std::string& texture_folder, TextWriter& out) {
  if (stage.character.materials.empty()) return;
  const std::map<int, std::string> textures = name_textures(stage, texture_folder);
  out.begin("Scope", "Materials");
  for (std::size_t i = 0; i < stage.character.materials.size(); ++i)
    MaterialWriter(stage.material_paths[i], textures, out).run(stage.character.materials[i]);
  out.end();
}

}  // namespace zoe::io::usd
