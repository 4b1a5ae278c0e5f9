// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "io/gltf/image_type.h"
#include "io/gltf/read_parts.h"
#include "io/gltf/uri.h"

namespace zoe::io::gltf {
namespace {

Result<void> load(const ReadContext& context, const ImageDef& def, const std::filesystem::path& folder, Image& image) {
  Blob blob;
  if (def.view >= 0) {
    ZOE_TRY_ASSIGN(blob.bytes, context.buffers.view(def.view));
  } else {
    ZOE_TRY_ASSIGN(blob, open_uri(def.uri, folder, context.budget));
  }
  if (image.mime_type.empty()) image.mime_type = blob.mime_type;
  if (image.mime_type.empty()) image.mime_type = image_type_of(blob.bytes);
  if (!blob.owned.empty()) {
    image.bytes = std::move(blob.owned);
    return {};
  }
  ZOE_TRY(context.budget.take(blob.bytes.size(), 1, "images"));
  image.bytes.assign(blob.bytes.begin(), blob.bytes.end());
  return {};
}

}  // namespace

Result<std::vector<Image>> read_images(const ReadContext& context, const std::filesystem::path& folder) {
  std::vector<Image> images;
  for (std::size_t i = 0; i < context.document.images.size(); ++i) {
    const ImageDef& def = context.document.images[i];
    Image image;
    image.name = def.name.empty() ? fmt::format("image_{}", i) : def.name;
    image.mime_type = def.mime_type;
    const bool embedded = def.view >= 0 || parse_data_uri(def.uri).has_value();
    if (!embedded) image.path = percent_decode(def.uri);
    if (context.options.load_images && (embedded || !def.uri.empty())) {
      if (const auto loaded = load(context, def, folder, image); !loaded) {
        // A missing image does not affect motion.
        if (embedded) return loaded.error();
        context.warnings.push_back({fmt::format("image '{}' not loaded: {}", image.name, loaded.error().format()), {}});
      }
    }
    images.push_back(std::move(image));
  }
  return images;
}

std::vector<Material> resolve_materials(const Document& document) {
  std::vector<Material> materials = document.materials;
  const auto resolve = [&](int& index) {
    if (index >= 0) index = document.texture_images[static_cast<std::size_t>(index)];
  };
  for (std::size_t i = 0; i < materials.size(); ++i) {
    Material& m = materials[i];
    if (m.name.empty()) m.name = fmt::format("material_{}", i);
    for (int* index :
         {&m.base_color_image, &m.metallic_roughness_image, &m.normal_image, &m.occlusion_image, &m.emissive_image}) {
      resolve(*index);
    }
  }
  return materials;
}

}  // namespace zoe::io::gltf
