// SPDX-License-Identifier: MIT
// Part of Zoetrope. Puts the meshes, skins and shapes of a scene into a Character.
#pragma once

#include <vector>

#include "zoe/character/character.h"

#include "io/fbx/animation.h"
#include "io/fbx/blend_shapes.h"
#include "io/fbx/growth_budget.h"
#include "io/fbx/scene_nodes.h"
#include "io/fbx/settings.h"
#include "io/fbx/skeleton_plan.h"

namespace zoe::io::fbx {

// The content of a scene before its meshes and clips are built. Only referenced.
struct SceneContext {
  const Document& document;
  const ObjectGraph& graph;
  const Settings& settings;
  const SpaceConversion& conversion;
  const SceneNodes& scene;
  const SkeletonPlan& plan;
  CurveReader* curves;
  GrowthBudget* budget;
  Warnings* warnings;
};

// The sliders that drive an instance's morph weights.
struct InstanceChannels {
  std::size_t instance = 0;  // Index in Character::instances.
  std::vector<ShapeChannel> channels;
};

// Adds meshes, skins, instances, materials and images; the character's skeleton must be set.
Result<std::vector<InstanceChannels>> add_meshes(const SceneContext& context, Character* character);

}  // namespace zoe::io::fbx
