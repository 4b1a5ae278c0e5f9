// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of the USD reader: skeletons, animations, meshes, materials.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "zoe/io/usd.h"
#include "zoe/math/transform.h"

#include "io/gltf/budget.h"
#include "io/usd/document.h"

namespace zoe::io::usd {

// A Skeleton prim, in its own units.
struct ReadSkeleton {
  int prim = -1;
  std::vector<std::string_view> joints;  // Paths.
  std::map<std::string_view, int> joint_of_path;
  int first_joint = 0;          // In the character's skeleton.
  std::vector<Affined> bind;    // skeleton_from_joint when meshes were bound.
  double length_scale = 1;      // Metres per unit of the skeleton.
  Affined model_from_skeleton;  // Without that scale; rigid in most files.
  int animation = -1;           // Prim of its bound animation, or -1.
};

struct ReadStage {
  const Document& document;
  const UsdReadOptions& options;
  Warnings& warnings;
  gltf::Budget& budget;
  double metres_per_unit = 1;
  double codes_per_second = 24;
  Affined model_from_stage;    // Turns Z up to Y up.
  std::vector<Affined> world;  // world_from_prim, stage units.
  std::vector<ReadSkeleton> skeletons;
  std::shared_ptr<Character> character;
  std::map<std::string, int> material_of_path;
  // Weight in Motion's layout, by blend shape token; several instances may share a token.
  std::multimap<std::string, std::size_t> weight_of_shape;
  // Bytes of a texture, or empty. By the name in the file.
  std::function<std::vector<std::byte>(const std::string&)> texture;
};

// A relation on the prim itself or inherited from a prim above: target prim, or -1.
int inherited_target(const Document& document, int prim, std::string_view name);

Result<void> read_skeletons(ReadStage& stage);
Result<std::vector<Motion>> read_animations(ReadStage& stage);
Result<void> read_materials(ReadStage& stage);
Result<void> read_meshes(ReadStage& stage);
// Skin or rigid binding of a mesh that is already split into vertices.
Result<void> read_binding(ReadStage& stage, int prim, Mesh& mesh, MeshInstance& instance);

}  // namespace zoe::io::usd
