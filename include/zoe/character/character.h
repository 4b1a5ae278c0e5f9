// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character: skeleton, meshes, skins, materials. Immutable and shared. Poses are separate.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/character/skeleton.h"

namespace zoe {

// An encoded image. It is not decoded: readers stay fast, and writers copy it unchanged.
struct Image {
  std::string name;
  std::string mime_type;         // "image/png", "image/jpeg", "image/webp", …; empty when unknown.
  std::vector<std::byte> bytes;  // Encoded; empty when the file only names a path.
  std::string path;              // As the file gives it, when external.
};

// Metallic-roughness material, as in glTF. Texture fields index Character::images, or -1.
struct Material {
  std::string name;
  Vec4 base_color{1, 1, 1, 1};  // Linear RGBA.
  int base_color_image = -1;
  float metallic = 0;
  float roughness = 1;
  int metallic_roughness_image = -1;
  int normal_image = -1;
  float normal_scale = 1;
  int occlusion_image = -1;
  float occlusion_strength = 1;
  Vec3 emissive{};
  int emissive_image = -1;
  enum class AlphaMode : unsigned char { kOpaque, kMask, kBlend } alpha_mode = AlphaMode::kOpaque;
  float alpha_cutoff = 0.5F;
  bool double_sided = false;
};

struct Character {
  std::string name;
  SkeletonPtr skeleton;  // Never null after a reader returns.
  std::vector<Mesh> meshes;
  std::vector<Skin> skins;
  std::vector<MeshInstance> instances;
  std::vector<Material> materials;
  std::vector<Image> images;

  // Morph weights of all instances, one after the other in instance order: the layout of Motion::morph_weights.
  std::size_t num_morph_weights() const;
  // First weight of one instance in that layout.
  std::size_t first_morph_weight(std::size_t instance) const;
};

using CharacterPtr = std::shared_ptr<const Character>;

// Checks every cross-reference (mesh, skin, joint, material, image indices, array lengths, finite numbers). Readers
// call it last, so that later code need not.
Result<void> validate(const Character& character);

}  // namespace zoe
