// SPDX-License-Identifier: MIT
// Part of Zoetrope. A mesh rearranged for skinning by vector units. Created once, immutable, shared by all characters.
// Vertices keep their order and form blocks of 16. Neighbours share joints (a block of 16 uses 1 to 8 on the meshes we
// have). So a block holds the list of its joints and one weight per joint and vertex, mostly zeros where vertices
// differ. A matrix is then read once for 16 vertices, without gathers, for any number of influences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/core/result.h"
#include "zoe/math/aligned_vector.h"

namespace zoe {

class SkinningLayout {
 public:
  static constexpr std::size_t kVerticesPerBlock = 16;

  struct Block {
    std::uint32_t first_joint = 0;  // Into joints(), and rows of weights().
    std::uint16_t num_joints = 0;
    bool rigid = false;  // One joint with weight one for all vertices.
  };

  // Fails on a mesh without influences or whose arrays do not fit. Weights are not normalised: they should sum to one.
  static Result<SkinningLayout> create(const Mesh& mesh);

  std::size_t num_vertices() const { return num_vertices_; }
  std::size_t num_blocks() const { return blocks_.size(); }
  // Number of palette entries that the influences need: the largest joint number plus one.
  std::size_t num_joints() const { return num_joints_; }
  bool has_normals() const { return has_normals_; }
  bool has_tangents() const { return has_tangents_; }
  // Mean number of joints per block. The work grows with it.
  double joints_per_block() const;

  std::span<const Block> blocks() const { return blocks_; }
  std::span<const std::uint16_t> joints() const { return joints_; }
  const float* weights(std::size_t row) const { return weights_.data() + row * kVerticesPerBlock; }
  // [position x y z][16], then normals and tangents (x y z) where the mesh has them.
  const float* geometry(std::size_t block) const { return geometry_.data() + block * geometry_stride_; }
  std::size_t tangent_offset() const { return (has_normals_ ? 6 : 3) * kVerticesPerBlock; }
  // Joint of the heaviest influence, [blocks][16]: the sign reference of dual quaternions.
  const std::uint16_t* heaviest_joints(std::size_t block) const { return heaviest_.data() + block * kVerticesPerBlock; }
  // w of the mesh's tangents, [vertices]; empty without tangents.
  std::span<const float> tangent_signs() const { return tangent_signs_; }

 private:
  SkinningLayout() = default;
  void add_geometry(const Mesh& mesh);
  void add_block(const Mesh& mesh, std::size_t block);

  std::size_t num_vertices_ = 0, num_joints_ = 0, geometry_stride_ = 0;
  bool has_normals_ = false, has_tangents_ = false;
  std::vector<Block> blocks_;
  std::vector<std::uint16_t> joints_, heaviest_;
  std::vector<float> tangent_signs_;
  AlignedVector<float> weights_, geometry_;
};

}  // namespace zoe
