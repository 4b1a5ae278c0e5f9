// SPDX-License-Identifier: MIT
#include <cmath>
#include <optional>

#include "zoe/core/index.h"

#include "io/bind_transform.h"
#include "io/usd/write_parts.h"

namespace zoe::io::usd {
namespace {

constexpr double kSameBind = 1e-5;

void name_joints(OutStage& stage) {
  const Skeleton& skeleton = *stage.character.skeleton;
  Names names;  // Of all joints: three.js finds what an animation moves by name alone.
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    const std::string name = names.add(skeleton.name(j), "joint");
    stage.joint_paths.push_back(parent >= 0 ? stage.joint_paths[idx(parent)] + "/" + name : name);
  }
}

using Binds = std::vector<std::optional<Affined>>;

bool same_bind(const Affined& a, const Affined& b) {
  return difference(a, b) <= kSameBind * std::max(1.0, length(b.t));
}

// Puts the binds of a skin into those of a skeleton. False, with nothing changed, when a joint has another one.
bool add_binds(const Skin& skin, const Affined& model_from_mesh, Binds& binds) {
  Binds merged = binds;
  for (std::size_t i = 0; i < skin.joints.size(); ++i) {
    const Affined bind = model_from_mesh * inverse(to_double(skin.joint_from_mesh[i]));
    std::optional<Affined>& known = merged[idx(skin.joints[i])];
    if (known && !same_bind(*known, bind)) return false;
    if (!known) known = bind;
  }
  binds = std::move(merged);
  return true;
}

// Binds a skin to the first skeleton whose bind pose has, or can get, its binds. The mesh's own transform is free, so
// that of a joint with a known bind is tried too: one skeleton is enough for most files.
OutBinding bind_skin(OutStage& stage, const Skin& skin, const Affined& model_from_mesh) {
  for (std::size_t s = 0; s < stage.skeletons.size(); ++s) {
    Binds& binds = stage.skeletons[s].model_from_joint_at_bind;
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      const std::optional<Affined> known = binds[idx(skin.joints[i])];
      if (!known) continue;
      const Affined candidate = *known * to_double(skin.joint_from_mesh[i]);
      if (add_binds(skin, candidate, binds)) return {static_cast<int>(s), candidate};
      break;
    }
    if (add_binds(skin, model_from_mesh, binds)) return {static_cast<int>(s), model_from_mesh};
  }
  stage.skeletons.push_back({{}, Binds(stage.joint_paths.size())});
  Binds& binds = stage.skeletons.back().model_from_joint_at_bind;
  if (!add_binds(skin, model_from_mesh, binds)) {
    for (std::size_t i = skin.joints.size(); i-- > 0;)
      binds[idx(skin.joints[i])] = model_from_mesh * inverse(to_double(skin.joint_from_mesh[i]));
    stage.warnings.push_back(
        {fmt::format("skin '{}' binds a joint twice; USD holds the first binding", skin.name), {}});
  }
  return {static_cast<int>(stage.skeletons.size()) - 1, model_from_mesh};
}

void bind_instances(OutStage& stage) {
  const Character& character = stage.character;
  for (const MeshInstance& instance : character.instances) {
    OutBinding binding;
    if (instance.skin >= 0) {
      binding = bind_skin(stage, character.skins[idx(instance.skin)], bind_transform(character, instance));
      if (instance.skin_follows_joint) {
        stage.warnings.push_back({fmt::format("mesh '{}' moves with its node in addition to its skin, which USD cannot "
                                              "state",
                                              character.meshes[idx(instance.mesh)].name),
                                  {}});
      }
    } else if (instance.joint < 0) {
      binding.model_from_mesh = to_double(instance.joint_from_mesh);
    }
    stage.bindings.push_back(binding);
  }
  if (stage.skeletons.empty() && !stage.joint_paths.empty())
    stage.skeletons.push_back({{}, Binds(stage.joint_paths.size())});
  // A rigid mesh is bound to one joint.
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const MeshInstance& instance = character.instances[i];
    if (instance.skin >= 0 || instance.joint < 0) continue;
    const auto& bind = stage.skeletons[0].model_from_joint_at_bind[idx(instance.joint)];
    stage.bindings[i].skeleton = 0;
    stage.bindings[i].model_from_mesh =
        bind.value_or(to_double(character.skeleton->rest_model()[idx(instance.joint)])) *
        to_double(instance.joint_from_mesh);
  }
}

void name_shapes(OutStage& stage) {
  Names names;
  for (const MeshInstance& instance : stage.character.instances) {
    const Mesh& mesh = stage.character.meshes[idx(instance.mesh)];
    stage.shape_names.emplace_back();
    for (const MorphTarget& target : mesh.morph_targets)
      stage.shape_names.back().push_back(names.add(target.name, "shape"));
  }
}

}  // namespace

OutStage plan_stage(const Character& character, std::span<const Motion> clips, Warnings& warnings) {
  OutStage stage{.character = character,
                 .clips = clips,
                 .warnings = warnings,
                 .root = {},
                 .names = {},
                 .joint_paths = {},
                 .skeletons = {},
                 .bindings = {},
                 .material_paths = {},
                 .shape_names = {},
                 .textures = {}};
  name_joints(stage);
  // Prims get other names than joints, for the same reason.
  Names top;
  for (const std::string& path : stage.joint_paths) {
    top.add(path.substr(path.rfind('/') + 1), "");
    stage.names.add(path.substr(path.rfind('/') + 1), "");
  }
  stage.root = "/" + top.add(character.name, "Character");
  bind_instances(stage);
  name_shapes(stage);
  for (OutSkeleton& skeleton : stage.skeletons) skeleton.path = stage.root + "/" + stage.names.add("Skeleton", "");
  Names materials;
  for (const Material& material : character.materials)
    stage.material_paths.push_back(stage.root + "/Materials/" + materials.add(material.name, "material"));
  if (!character.materials.empty()) stage.names.add("Materials", "");
  return stage;
}

double time_code(const OutStage& stage, const Motion& clip, int frame) {
  const double code = (clip.start_time_s + frame / clip.fps) * stage.clips[0].fps;
  constexpr double kRounding = 1e-4;
  return std::abs(code - std::round(code)) < kRounding ? std::round(code) + 0.0 : code;
}

}  // namespace zoe::io::usd
