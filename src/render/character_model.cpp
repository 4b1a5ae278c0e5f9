// SPDX-License-Identifier: MIT
#include "zoe/render/character_model.h"

#include <algorithm>
#include <utility>

#include "zoe/character/palette_job.h"

#include "render/load_image.h"

namespace zoe::render {
namespace {

// The same image may be needed in both colour spaces: one texture each.
class TextureLoader {
 public:
  TextureLoader(Renderer& renderer, const Character& character, const std::filesystem::path& folder, Warnings& warnings)
      : renderer_(renderer),
        character_(character),
        folder_(folder),
        warnings_(warnings),
        pictures_(character.images.size()),
        handles_(character.images.size() * 2) {}

  TextureHandle get(int image, ColorSpace space) {
    if (image < 0) return {};
    const auto index = static_cast<std::size_t>(image);
    TextureHandle& handle = handles_[index * 2 + (space == ColorSpace::kSrgb ? 0 : 1)];
    if (handle || failed(index)) return handle;
    return handle = renderer_.add_texture(pictures_[index], space);
  }
  std::vector<TextureHandle> take() {
    std::erase(handles_, TextureHandle{});
    return std::move(handles_);
  }

 private:
  // Reads on first use; a picture of zero width failed, and was reported.
  bool failed(std::size_t index) {
    Picture& picture = pictures_[index];
    if (picture.width == 0 && picture.height == 0) {
      Result<Picture> loaded = load_image(character_.images[index], folder_);
      if (loaded) {
        picture = std::move(loaded).value();
      } else {
        warnings_.push_back({"texture skipped: " + loaded.error().message, loaded.error().where});
        picture.height = -1;
      }
    }
    return picture.width == 0;
  }
  Renderer& renderer_;
  const Character& character_;
  const std::filesystem::path& folder_;
  Warnings& warnings_;
  std::vector<Picture> pictures_;
  std::vector<TextureHandle> handles_;
};

MaterialDesc describe(const Material& m, TextureLoader& textures) {
  return {.base_color = m.base_color,
          .base_color_texture = textures.get(m.base_color_image, ColorSpace::kSrgb),
          .metallic = m.metallic,
          .roughness = m.roughness,
          .metallic_roughness_texture = textures.get(m.metallic_roughness_image, ColorSpace::kLinear),
          .normal_texture = textures.get(m.normal_image, ColorSpace::kLinear),
          .normal_scale = m.normal_scale,
          .occlusion_texture = textures.get(m.occlusion_image, ColorSpace::kLinear),
          .occlusion_strength = m.occlusion_strength,
          .emissive = m.emissive,
          .emissive_texture = textures.get(m.emissive_image, ColorSpace::kSrgb),
          .alpha_cutoff = m.alpha_mode == Material::AlphaMode::kMask ? m.alpha_cutoff : 0.0F,
          .blend = m.alpha_mode == Material::AlphaMode::kBlend,
          .double_sided = m.double_sided};
}

}  // namespace

CharacterModel CharacterModel::create(Renderer& renderer, CharacterPtr character,
                                      const std::filesystem::path& image_folder, Warnings& warnings) {
  CharacterModel model;
  model.renderer_ = &renderer;
  model.character_ = std::move(character);
  TextureLoader textures(renderer, *model.character_, image_folder, warnings);
  for (const Material& material : model.character_->materials)
    model.materials_.push_back(renderer.add_material(describe(material, textures)));
  model.textures_ = textures.take();
  for (const Mesh& mesh : model.character_->meshes) model.meshes_.push_back(renderer.add_mesh(mesh, model.materials_));
  return model;
}

CharacterModel::CharacterModel(CharacterModel&& other) noexcept { *this = std::move(other); }

CharacterModel& CharacterModel::operator=(CharacterModel&& other) noexcept {
  if (this == &other) return *this;
  release();
  renderer_ = std::exchange(other.renderer_, nullptr);
  character_ = std::move(other.character_);
  meshes_ = std::exchange(other.meshes_, {});
  textures_ = std::exchange(other.textures_, {});
  materials_ = std::exchange(other.materials_, {});
  return *this;
}

CharacterModel::~CharacterModel() { release(); }

void CharacterModel::release() {
  for (const MeshHandle mesh : meshes_) renderer_->remove(mesh);
  for (const MaterialHandle material : materials_) renderer_->remove(material);
  for (const TextureHandle texture : textures_) renderer_->remove(texture);
}

CharacterBody::CharacterBody(const Character& character, std::span<const MeshHandle> meshes)
    : character_(&character), meshes_(meshes) {
  std::size_t total = 0;
  for (const MeshInstance& instance : character.instances) {
    first_palette_.push_back(total);
    if (instance.skin >= 0) total += character.skins[static_cast<std::size_t>(instance.skin)].joints.size();
  }
  first_palette_.push_back(total);
  palettes_.resize(total);
  rigid_.resize(character.instances.size());
  morph_weights_.resize(character.num_morph_weights());
}

void CharacterBody::set_pose(std::span<const Affine> model_from_joint, std::span<const float> morph_weights) {
  const Character& character = *character_;
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const MeshInstance& instance = character.instances[i];
    if (instance.skin >= 0) {
      Affine moved;
      if (instance.skin_follows_joint && instance.joint >= 0) {
        moved = model_from_joint[static_cast<std::size_t>(instance.joint)] * instance.joint_from_model_at_bind;
      }
      PaletteJob{.skin = &character.skins[static_cast<std::size_t>(instance.skin)],
                 .model_from_joint = model_from_joint,
                 .target_from_model = {&moved, 1},
                 .palettes = std::span(palettes_).subspan(first_palette_[i], first_palette_[i + 1] - first_palette_[i])}
          .run();
    } else {
      const Affine joint = instance.joint >= 0 ? model_from_joint[static_cast<std::size_t>(instance.joint)] : Affine{};
      rigid_[i] = joint * instance.joint_from_mesh;
    }
    const std::size_t first = character.first_morph_weight(i),
                      count = character.meshes[static_cast<std::size_t>(instance.mesh)].morph_targets.size();
    for (std::size_t k = 0; k < count; ++k) {
      morph_weights_[first + k] = !morph_weights.empty()              ? morph_weights[first + k]
                                  : k < instance.morph_weights.size() ? instance.morph_weights[k]
                                                                      : 0.0F;
    }
  }
}

void CharacterBody::add_to(RenderFrame& frame, const Affine& world_from_model, std::uint32_t id, Vec4 tint,
                           std::optional<Skinning> skinning) const {
  const Character& character = *character_;
  const auto body = static_cast<std::uint32_t>(frame.instances.size()) + 1;
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const MeshInstance& source = character.instances[i];
    const auto mesh = static_cast<std::size_t>(source.mesh);
    const bool skinned = source.skin >= 0;
    const bool dual =
        skinned && character.skins[static_cast<std::size_t>(source.skin)].blend == SkinBlend::kDualQuaternion;
    frame.instances.push_back(
        {.mesh = meshes_[mesh],
         .world_from_model = skinned ? world_from_model : world_from_model * rigid_[i],
         .palette = skinned ? std::span(palettes_).subspan(first_palette_[i], first_palette_[i + 1] - first_palette_[i])
                            : std::span<const Affine>{},
         .skinning = skinning.value_or(dual ? Skinning::kDualQuaternion : Skinning::kLinear),
         .morph_weights = std::span(morph_weights_)
                              .subspan(character.first_morph_weight(i), character.meshes[mesh].morph_targets.size()),
         .tint = tint,
         .id = id,
         .body = body});
  }
}

}  // namespace zoe::render
