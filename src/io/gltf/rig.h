// SPDX-License-Identifier: MIT
// Part of Zoetrope. Builds a skeleton from nodes: joints, their order, and the nodes with meshes.
#pragma once

#include <vector>

#include "zoe/io/gltf.h"

#include "io/gltf/document.h"

namespace zoe::io::gltf {

struct Rig {
  SkeletonPtr skeleton;
  std::vector<int> joint_of_node;  // -1 for nodes that are no joint.
  std::vector<int> mesh_nodes;     // Nodes of the scene whose mesh is part of the character, in joint order.
};

// Joints are the nodes of the scene, and every whole tree outside of it that contains a skin's joint or an animated
// node. Their order is that of the file where parents come before children, else depth first from the roots.
Result<Rig> build_rig(const Document& document, const GltfReadOptions& options, Warnings& warnings);

}  // namespace zoe::io::gltf
