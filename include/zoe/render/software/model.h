// SPDX-License-Identifier: MIT
// Part of Zoetrope. A Character prepared for the software rasteriser, and its vertices in one pose. No OpenGL. Only
// additions, multiplications, divisions and roots: the same bits on every machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/render/picture.h"

namespace zoe::render {

// Meshes, colours and decoded textures of a character, as one list of triangles. Immutable.
class SoftwareModel {
 public:
  struct Surface {
    Vec3 color{0.8F, 0.8F, 0.8F};  // Linear; the texture multiplies it.
    Vec3 emissive{};               // Linear.
    int texture = -1;              // Into textures().
    float alpha_cutoff = 0;        // > 0: samples with less alpha are not drawn.
    float alpha = 1;
    bool double_sided = false;
  };
  struct Triangle {
    std::uint32_t vertices[3];
    std::uint16_t surface = 0;
    std::uint16_t part = 0;  // From 1: one number for each mesh instance.
  };

  // Textures that are missing or cannot be read become warnings and plain colours. image_folder: folder of external
  // images.
  static SoftwareModel create(CharacterPtr character, const std::filesystem::path& image_folder, Warnings& warnings);

  const Character& character() const { return *character_; }
  std::span<const Triangle> triangles() const { return triangles_; }
  std::span<const Surface> surfaces() const { return surfaces_; }
  std::span<const Picture> textures() const { return textures_; }
  std::span<const Vec2> uvs() const { return uvs_; }        // [vertices]
  std::span<const Vec3> colors() const { return colors_; }  // [vertices] linear, or empty: white.
  std::size_t num_vertices() const { return uvs_.size(); }
  // First vertex of an instance of the character.
  std::size_t first_vertex(std::size_t instance) const { return first_vertex_[instance]; }
  // False for instances without normals: their triangles are drawn flat.
  bool has_normals(std::size_t instance) const;
  bool is_flat(const Triangle& triangle) const { return flat_[triangle.part] != 0; }

 private:
  SoftwareModel() = default;
  void add_surfaces(const std::filesystem::path& image_folder, Warnings& warnings);
  void add_instance(std::size_t instance);

  CharacterPtr character_;
  std::vector<Triangle> triangles_;
  std::vector<Surface> surfaces_;  // Of the materials, and one more for triangles without.
  std::vector<Picture> textures_;
  std::vector<Vec2> uvs_;
  std::vector<Vec3> colors_;
  std::vector<std::size_t> first_vertex_;
  std::vector<std::uint8_t> flat_;  // [parts + 1]
};

// Vertices of all instances in one pose, model space: skinned once, drawn from any number of sides.
struct PosedVertices {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;    // Unit; zero where the mesh has none.
  std::vector<Affine> palette;  // Memory of pose_vertices().
};

// model_from_joint: [joints]. morph_weights: layout of Character::num_morph_weights(), or empty for the defaults.
void pose_vertices(const SoftwareModel& model, std::span<const Affine> model_from_joint,
                   std::span<const float> morph_weights, PosedVertices& out);

}  // namespace zoe::render
