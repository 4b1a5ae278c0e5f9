// SPDX-License-Identifier: MIT
// Part of Zoetrope. Triangle meshes, their skin influences and morph targets. Immutable once inside a Character.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zoe/math/affine.h"
#include "zoe/math/vec.h"

namespace zoe {

// A blend shape of the mesh. Sparse: only moved vertices are stored.
struct MorphTarget {
  std::string name;
  std::vector<std::uint32_t> vertices;  // Vertex indices, ascending; empty means "vertex i for entry i" (dense).
  std::vector<Vec3> position_deltas;    // Parallel to `vertices`, mesh space.
  std::vector<Vec3> normal_deltas;      // Parallel to `vertices`, or empty.
};

// A run of triangles with one material.
struct Submesh {
  std::uint32_t first_index = 0;
  std::uint32_t num_indices = 0;
  int material = -1;  // Index into Character::materials, or -1.
};

struct Mesh {
  std::string name;

  // Vertex attributes; each array has one entry per vertex or is empty.
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;
  std::vector<Vec4> tangents;  // xyz, w = bitangent sign.
  std::vector<Vec2> uvs;       // Origin at the top left, v down (glTF).
  std::vector<Vec2> uvs1;
  std::vector<Vec4> colors;  // Linear RGBA.

  std::vector<std::uint32_t> indices;  // Triangles, counter-clockwise outside.
  std::vector<Submesh> submeshes;      // Cover all indices, in order.

  // Formats with normals and uvs per corner require split vertices. This maps each vertex to its point in the file, so
  // that per-point results (OBJ output, weights, simulation) keep the author's order. Empty: one to one.
  std::vector<std::uint32_t> source_points;
  std::uint32_t num_source_points = 0;  // Meaningful with source_points; some points may have no vertex.

  // Skin influences: `influences_per_vertex` entries per vertex, heaviest first, weights sum to 1, padded with weight
  // 0. Joint numbers index Skin::joints of the instance's skin, not the skeleton.
  int influences_per_vertex = 0;
  std::vector<std::uint16_t> influence_joints;
  std::vector<float> influence_weights;
  // Share of linear blending of each vertex, 0 to 1, where the skin blends dual quaternions. Empty: 0 everywhere.
  std::vector<float> linear_shares;

  std::vector<MorphTarget> morph_targets;

  std::size_t num_vertices() const { return positions.size(); }
};

// How the motions of a vertex's joints are blended. Dual quaternions keep the volume of twisted limbs.
enum class SkinBlend : std::uint8_t { kLinear, kDualQuaternion };

// Binds a mesh to joints: skinning matrix of entry i = model_from_joint[joints[i]] * joint_from_mesh[i].
struct Skin {
  std::string name;
  std::vector<int> joints;              // Skeleton joint indices.
  std::vector<Affine> joint_from_mesh;  // "Inverse bind matrices": mesh space at bind time to joint space.
  SkinBlend blend = SkinBlend::kLinear;
};

// A mesh placed in the character. Without a skin it follows its joint rigidly: model_from_mesh =
// model_from_joint[joint]. With a skin only the skin moves vertices, unless skin_follows_joint.
struct MeshInstance {
  int mesh = 0;
  int joint = -1;  // Skeleton joint (the file's node) that carries the mesh, or -1.
  int skin = -1;   // Index into Character::skins, or -1.
  // Maya exports skins that also move with the mesh's node; glTF and 3ds Max ignore that node. When set, the skinned
  // result (in the node's bind space) is moved by model_from_joint[joint] * joint_from_model_at_bind.
  bool skin_follows_joint = false;
  Affine joint_from_model_at_bind;
  // Rigid offset of an unskinned mesh (FBX geometric transform): model_from_mesh = model_from_joint[joint] * this.
  Affine joint_from_mesh;
  std::vector<float> morph_weights;  // Default weights, one per morph target of the mesh; may be empty (zeros).
};

}  // namespace zoe
