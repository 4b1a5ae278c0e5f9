// SPDX-License-Identifier: MIT
// Part of Zoetrope. A Character on the GPU, and one of its bodies in a frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/render/renderer.h"

namespace zoe::render {

// Meshes, materials and textures of a character, uploaded; shared by all its bodies. Releases them when destroyed,
// which must be before the renderer is.
class CharacterModel {
 public:
  // Textures that are missing or cannot be read become warnings and plain colours. image_folder: folder of external
  // images.
  static CharacterModel create(Renderer& renderer, CharacterPtr character, const std::filesystem::path& image_folder,
                               Warnings& warnings);

  CharacterModel(CharacterModel&& other) noexcept;
  CharacterModel& operator=(CharacterModel&& other) noexcept;
  ~CharacterModel();

  const Character& character() const { return *character_; }
  bool has_mesh() const { return !meshes_.empty() && !character_->instances.empty(); }
  std::span<const MeshHandle> meshes() const { return meshes_; }

 private:
  CharacterModel() = default;
  void release();
  Renderer* renderer_ = nullptr;
  CharacterPtr character_;
  std::vector<MeshHandle> meshes_;
  std::vector<TextureHandle> textures_;
  std::vector<MaterialHandle> materials_;
};

// One body in one pose: the skin matrices of instances in a frame. Sized once. Keep one per body of a frame until it is
// rendered.
class CharacterBody {
 public:
  explicit CharacterBody(const CharacterModel& model) : CharacterBody(model.character(), model.meshes()) {}
  // meshes: GPU handles of Character::meshes. Both must outlive the body.
  CharacterBody(const Character& character, std::span<const MeshHandle> meshes);

  // model_from_joint: [joints]; morph_weights: layout of Character::num_morph_weights(), or empty for the defaults.
  void set_pose(std::span<const Affine> model_from_joint, std::span<const float> morph_weights = {});

  // Appends the instances. They point into this body. skinning: empty uses the blend that each skin states.
  void add_to(RenderFrame& frame, const Affine& world_from_model, std::uint32_t id = 0, Vec4 tint = {1, 1, 1, 1},
              std::optional<Skinning> skinning = {}) const;

 private:
  const Character* character_;
  std::span<const MeshHandle> meshes_;
  std::vector<Affine> palettes_;            // Of all skinned instances, one after the other.
  std::vector<std::size_t> first_palette_;  // [instances + 1]
  std::vector<Affine> rigid_;               // [instances] model_from_mesh of the others.
  std::vector<float> morph_weights_;
};

}  // namespace zoe::render
