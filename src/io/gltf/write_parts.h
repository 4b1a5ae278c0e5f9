// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of write_gltf(): nodes, meshes, skins, materials, animations.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/io/gltf.h"
#include "zoe/motion/motion.h"

#include "io/gltf/data_writer.h"

namespace zoe::io::gltf {

// A node to be written. The first ones are the joints, in order; helpers follow.
struct OutNode {
  std::string name;
  int parent = -1;
  int joint = -1;     // The joint of its rest pose and animation. -1: `local`, not animated.
  Transform local;    // For helpers.
  int instance = -1;  // Mesh instance of the node.
  int mesh = -1, skin = -1;
  const char* role = nullptr;  // See NodeRole.
  const char* kind = nullptr;  // Stored where a reader would estimate another JointKind.
};

struct OutSkin {
  std::string name;
  std::vector<int> nodes;
  std::vector<Affine> joint_from_mesh;
  SkinBlend blend = SkinBlend::kLinear;
};

// Nodes and skins of a character, before any bytes. May hold more meshes than the character: the
// skeleton's own, or copies with a transform baked in.
struct OutScene {
  std::vector<OutNode> nodes;
  std::vector<OutSkin> skins;
  std::vector<Mesh> extra_meshes;  // Mesh index character.meshes.size() + i.
};

OutScene plan_scene(const Character& character, std::span<const Motion> clips, const GltfWriteOptions& options);

// An octahedron for each bone of the skeleton, from parent to child, in model space at rest. Influences are indices in
// `joints`.
Mesh make_skeleton_mesh(const Skeleton& skeleton, std::span<const int> joints);

// JSON of one mesh, or null when it has no triangle.
Json write_mesh(const Mesh& mesh, const GltfWriteOptions& options, DataWriter& data);
// JOINTS_n and WEIGHTS_n into the primitive's attributes.
void write_influences(const Mesh& mesh, const GltfWriteOptions& options, DataWriter& data, Json& attributes);

// Materials, textures and images into the root.
void write_materials(const Character& character, DataWriter& data, Json& root, Warnings& warnings);

// JSON of one clip.
Json write_animation(const Motion& motion, const Character& character, const OutScene& scene,
                     const GltfWriteOptions& options, DataWriter& data);

}  // namespace zoe::io::gltf
