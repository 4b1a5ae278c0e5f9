// SPDX-License-Identifier: MIT
#include "zoe/render/software/model.h"

#include <algorithm>

#include "render/load_image.h"

namespace zoe::render {
namespace {

// Samples of glass below this alpha are not drawn: sprites have no see-through surfaces.
constexpr float kGlassCutoff = 0.35F;

}  // namespace

SoftwareModel SoftwareModel::create(CharacterPtr character, const std::filesystem::path& image_folder,
                                    Warnings& warnings) {
  SoftwareModel model;
  model.character_ = std::move(character);
  model.add_surfaces(image_folder, warnings);
  model.flat_.push_back(0);
  const Character& all = *model.character_;
  const bool colored = std::any_of(all.instances.begin(), all.instances.end(), [&](const MeshInstance& instance) {
    return !all.meshes[static_cast<std::size_t>(instance.mesh)].colors.empty();
  });
  for (std::size_t i = 0; i < all.instances.size(); ++i) model.add_instance(i);
  if (!colored) model.colors_.clear();
  return model;
}

bool SoftwareModel::has_normals(std::size_t instance) const {
  return !character_->meshes[static_cast<std::size_t>(character_->instances[instance].mesh)].normals.empty();
}

void SoftwareModel::add_surfaces(const std::filesystem::path& image_folder, Warnings& warnings) {
  std::vector<int> texture_of(character_->images.size(), -2);  // -2: not read yet, -1: cannot be read.
  const auto texture = [&](int image) {
    if (image < 0) return -1;
    int& index = texture_of[static_cast<std::size_t>(image)];
    if (index != -2) return index;
    Result<Picture> loaded = load_image(character_->images[static_cast<std::size_t>(image)], image_folder);
    if (!loaded) {
      warnings.push_back({"texture skipped: " + loaded.error().message, loaded.error().where});
      return index = -1;
    }
    textures_.push_back(std::move(loaded).value());
    return index = static_cast<int>(textures_.size()) - 1;
  };
  for (const Material& material : character_->materials) {
    Surface surface{.color = {material.base_color.x, material.base_color.y, material.base_color.z},
                    .emissive = material.emissive,
                    .texture = texture(material.base_color_image),
                    .alpha = material.base_color.w,
                    .double_sided = material.double_sided};
    if (material.emissive_image >= 0) surface.emissive = {};  // A map of lights would need a second texture.
    if (material.alpha_mode == Material::AlphaMode::kMask) surface.alpha_cutoff = material.alpha_cutoff;
    if (material.alpha_mode == Material::AlphaMode::kBlend) surface.alpha_cutoff = kGlassCutoff;
    surfaces_.push_back(surface);
  }
  surfaces_.push_back({});
}

void SoftwareModel::add_instance(std::size_t index) {
  const MeshInstance& instance = character_->instances[index];
  const Mesh& mesh = character_->meshes[static_cast<std::size_t>(instance.mesh)];
  const std::size_t first = uvs_.size();
  first_vertex_.push_back(first);
  uvs_.resize(first + mesh.num_vertices());
  std::copy(mesh.uvs.begin(), mesh.uvs.end(), uvs_.begin() + static_cast<long>(first));
  colors_.resize(uvs_.size(), Vec3{1, 1, 1});
  for (std::size_t i = 0; i < mesh.colors.size(); ++i)
    colors_[first + i] = {mesh.colors[i].x, mesh.colors[i].y, mesh.colors[i].z};
  const auto part = static_cast<std::uint16_t>(std::min<std::size_t>(index + 1, 255));
  if (flat_.size() <= part) flat_.resize(part + std::size_t{1});
  flat_[part] = mesh.normals.empty() ? 1 : 0;
  for (const Submesh& submesh : mesh.submeshes) {
    const std::size_t surface =
        submesh.material >= 0 ? static_cast<std::size_t>(submesh.material) : surfaces_.size() - 1;
    for (std::uint32_t i = 0; i + 2 < submesh.num_indices; i += 3) {
      Triangle triangle{{}, static_cast<std::uint16_t>(surface), part};
      for (std::uint32_t k = 0; k < 3; ++k)
        triangle.vertices[k] = static_cast<std::uint32_t>(first) + mesh.indices[submesh.first_index + i + k];
      triangles_.push_back(triangle);
    }
  }
}

}  // namespace zoe::render
