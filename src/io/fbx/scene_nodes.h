// SPDX-License-Identifier: MIT
// Part of Zoetrope. The node hierarchy of an FBX scene, parents first.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/core/result.h"

#include "io/fbx/document.h"
#include "io/fbx/node_transform.h"
#include "io/fbx/objects.h"

namespace zoe::io::fbx {

constexpr int kNoNode = -1;

struct SceneNode {
  std::uint32_t object = 0;
  int parent = kNoNode;  // Smaller than the node's own index.
  NodeChain chain;       // The file's static values: the rest pose.
  JointKind kind = JointKind::kNode;
  bool kind_stated = false;  // By a mark of our own writer.
};

struct SceneNodes {
  std::vector<SceneNode> nodes;
  std::vector<int> node_of_object;  // By object index. kNoNode for objects that are not nodes.
};

// Refuses cycles (kInvalid) and more nodes than the limits allow (kLimit).
Result<SceneNodes> read_nodes(const Document& document, const ObjectGraph& graph, const ReadLimits& limits,
                              Warnings* warnings);

}  // namespace zoe::io::fbx
