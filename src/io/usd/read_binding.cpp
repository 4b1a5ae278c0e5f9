// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "io/usd/read_parts.h"
#include "io/usd/values.h"

namespace zoe::io::usd {
namespace {

struct Influence {
  int joint = 0;
  float weight = 0;
};

// Joint numbers of a mesh count its own list where it has one.
Result<std::vector<int>> joint_numbers(const Document& document, int prim, const ReadSkeleton& skeleton) {
  std::vector<int> numbers;
  if (const Attribute* own = document.attribute(prim, "skel:joints")) {
    for (const std::string_view path : read_tokens(own->value)) {
      const auto found = skeleton.joint_of_path.find(path);
      if (found == skeleton.joint_of_path.end())
        return document.error(ErrorCode::kInvalid, fmt::format("the skeleton has no joint '{}'", path), path);
      numbers.push_back(found->second);
    }
    return numbers;
  }
  for (std::size_t i = 0; i < skeleton.joints.size(); ++i) numbers.push_back(static_cast<int>(i));
  return numbers;
}

// Heaviest first, sum one.
void tidy(std::vector<Influence>& influences) {
  std::stable_sort(influences.begin(), influences.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  float sum = 0;
  for (Influence& influence : influences) sum += influence.weight = std::max(influence.weight, 0.0F);
  for (Influence& influence : influences) influence.weight = sum > 0 ? influence.weight / sum : 0;
  if (!(sum > 0)) influences[0].weight = 1;
}

}  // namespace

Result<void> read_binding(ReadStage& stage, int prim, Mesh& mesh, MeshInstance& instance) {
  const Document& document = stage.document;
  const Attribute* indices = document.attribute(prim, "primvars:skel:jointIndices");
  const Attribute* weights = document.attribute(prim, "primvars:skel:jointWeights");
  const int target = inherited_target(document, prim, "skel:skeleton");
  const auto found = std::find_if(stage.skeletons.begin(), stage.skeletons.end(),
                                  [&](const ReadSkeleton& skeleton) { return skeleton.prim == target; });
  if (indices == nullptr || weights == nullptr || found == stage.skeletons.end()) {
    // Not skinned: placed by its own transform.
    Affined model_from_mesh = stage.world[idx(prim)];
    model_from_mesh.t *= stage.metres_per_unit;
    instance.joint_from_mesh = to_float(stage.model_from_stage * model_from_mesh);
    for (Vec3& p : mesh.positions) p *= static_cast<float>(stage.metres_per_unit);
    for (MorphTarget& morph : mesh.morph_targets)
      for (Vec3& p : morph.position_deltas) p *= static_cast<float>(stage.metres_per_unit);
    return {};
  }
  const ReadSkeleton& skeleton = *found;
  ZOE_TRY_ASSIGN(const std::vector<int> joint_of, joint_numbers(document, prim, skeleton));
  ZOE_TRY_ASSIGN(const std::vector<std::int32_t> numbers, read_numbers<std::int32_t>(document, indices->value));
  ZOE_TRY_ASSIGN(const std::vector<float> shares, read_numbers<float>(document, weights->value));
  const std::size_t points = mesh.num_source_points;
  const bool constant =
      read_tokens(metadata_entry(indices->metadata, "interpolation")) == std::vector<std::string_view>{"constant"};
  const double stated = metadata_number(indices->metadata, "elementSize", 1);
  const auto width = static_cast<std::size_t>(stated >= 1 && stated <= 255 ? stated : 1);
  if (numbers.size() != shares.size() || numbers.size() != (constant ? width : points * width)) {
    return document.error(ErrorCode::kInvalid,
                          fmt::format("{} joint numbers and {} weights for {} points with {} influences each",
                                      numbers.size(), shares.size(), points, width),
                          indices->value);
  }
  for (const std::int32_t number : numbers) {
    if (number < 0 || idx(number) >= joint_of.size())
      return document.error(ErrorCode::kInvalid, fmt::format("joint number {} of {}", number, joint_of.size()),
                            indices->value);
  }
  Affined skeleton_from_mesh;
  if (const Attribute* bind = document.attribute(prim, "primvars:skel:geomBindTransform")) {
    ZOE_TRY_ASSIGN(const std::vector<double> m, read_numbers<double>(document, bind->value, 16));
    if (m.size() == 16) skeleton_from_mesh = to_affine(m.data());
  }
  const auto joint_from_mesh = [&](int joint) {
    Affined m = inverse(skeleton.bind[idx(joint)]) * skeleton_from_mesh;
    m.t *= skeleton.length_scale;
    return to_float(m);
  };
  for (Vec3& p : mesh.positions) p *= static_cast<float>(skeleton.length_scale);
  for (MorphTarget& morph : mesh.morph_targets)
    for (Vec3& p : morph.position_deltas) p *= static_cast<float>(skeleton.length_scale);
  // One joint for everything is a rigid mesh.
  const bool rigid = width == 1 && !numbers.empty() &&
                     std::all_of(numbers.begin(), numbers.end(), [&](std::int32_t n) { return n == numbers[0]; });
  if (rigid) {
    instance.joint = skeleton.first_joint + joint_of[idx(numbers[0])];
    instance.joint_from_mesh = joint_from_mesh(joint_of[idx(numbers[0])]);
    return is_finite(instance.joint_from_mesh)
               ? Result<void>{}
               : document.error(ErrorCode::kInvalid, "the bind transform cannot be inverted", indices->value);
  }
  ZOE_TRY(stage.budget.take(mesh.num_vertices(), width * (sizeof(float) + sizeof(std::uint16_t)), "skin weights"));
  Skin skin;
  skin.name = document.prim(prim).name;
  if (read_token(document, prim, "primvars:skel:skinningMethod", "") == "dualQuaternion")
    skin.blend = SkinBlend::kDualQuaternion;
  std::vector<int> slot_of(skeleton.joints.size(), -1);
  std::vector<Influence> influences(width);
  mesh.influences_per_vertex = static_cast<int>(width);
  for (std::size_t v = 0; v < mesh.num_vertices(); ++v) {
    const std::size_t point = mesh.source_points.empty() ? v : mesh.source_points[v];
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t at = constant ? k : point * width + k;
      influences[k] = {joint_of[idx(numbers[at])], shares[at]};
    }
    tidy(influences);
    for (const Influence& influence : influences) {
      int& slot = slot_of[idx(influence.joint)];
      if (slot < 0) {
        slot = static_cast<int>(skin.joints.size());
        skin.joints.push_back(skeleton.first_joint + influence.joint);
        skin.joint_from_mesh.push_back(joint_from_mesh(influence.joint));
        if (!is_finite(skin.joint_from_mesh.back()))
          return document.error(ErrorCode::kInvalid, "a bind transform cannot be inverted", indices->value);
      }
      mesh.influence_joints.push_back(static_cast<std::uint16_t>(slot));
      mesh.influence_weights.push_back(influence.weight);
    }
  }
  instance.skin = static_cast<int>(stage.character->skins.size());
  stage.character->skins.push_back(std::move(skin));
  return {};
}

}  // namespace zoe::io::usd
