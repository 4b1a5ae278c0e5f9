// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "io/usd/read_parts.h"
#include "io/usd/values.h"

namespace zoe::io::usd {
namespace {

Result<std::vector<Affined>> read_matrices(const Document& document, int prim, const char* name, std::size_t count) {
  std::vector<Affined> matrices;
  const Attribute* attribute = document.attribute(prim, name);
  if (attribute == nullptr) return matrices;
  ZOE_TRY_ASSIGN(const std::vector<double> numbers, read_numbers<double>(document, attribute->value, 16));
  if (numbers.size() != count * 16 && !numbers.empty()) {
    return document.error(ErrorCode::kInvalid,
                          fmt::format("{} has {} matrices for {} joints", name, numbers.size() / 16, count),
                          attribute->value);
  }
  for (std::size_t i = 0; i < numbers.size(); i += 16) matrices.push_back(to_affine(numbers.data() + i));
  return matrices;
}

// The parent of a joint: the longest path above it that is a joint too.
int parent_of(const ReadSkeleton& skeleton, std::string_view path) {
  while (true) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) return -1;
    path = path.substr(0, slash);
    if (const auto found = skeleton.joint_of_path.find(path); found != skeleton.joint_of_path.end())
      return found->second;
  }
}

// Splits the skeleton's place in the world into a uniform scale, folded into the numbers, and the rest.
void place(ReadStage& stage, ReadSkeleton& skeleton) {
  Affined world = stage.world[idx(skeleton.prim)];
  world.t *= stage.metres_per_unit;
  const double x = length(world.x), y = length(world.y), z = length(world.z);
  constexpr double kEven = 1e-4;
  const bool even = x > 1e-12 && std::abs(y - x) <= kEven * x && std::abs(z - x) <= kEven * x && determinant(world) > 0;
  skeleton.length_scale = stage.metres_per_unit * (even ? x : 1.0);
  if (even) {
    world.x = world.x / x;
    world.y = world.y / x;
    world.z = world.z / x;
  }
  skeleton.model_from_skeleton = stage.model_from_stage * world;
}

Result<void> read_one(ReadStage& stage, int prim, std::vector<JointDesc>& joints) {
  const Document& document = stage.document;
  ReadSkeleton skeleton;
  skeleton.prim = prim;
  const Attribute* list = document.attribute(prim, "joints");
  if (list == nullptr) {
    stage.warnings.push_back({"a skeleton without joints is skipped", {.joint = document.path(prim)}});
    return {};
  }
  skeleton.joints = read_tokens(list->value);
  const std::size_t n = skeleton.joints.size();
  if (joints.size() + n > stage.options.limits.max_joints)
    return document.error(ErrorCode::kLimit, fmt::format("more than {} joints", stage.options.limits.max_joints),
                          list->value);
  ZOE_TRY_ASSIGN(std::vector<Affined> rest, read_matrices(document, prim, "restTransforms", n));
  ZOE_TRY_ASSIGN(skeleton.bind, read_matrices(document, prim, "bindTransforms", n));
  place(stage, skeleton);
  skeleton.animation = inherited_target(document, prim, "skel:animationSource");
  // The same joints with other bind poses: one skeleton here.
  for (const ReadSkeleton& known : stage.skeletons) {
    if (known.joints != skeleton.joints || known.animation != skeleton.animation ||
        !(known.model_from_skeleton == skeleton.model_from_skeleton) || known.length_scale != skeleton.length_scale)
      continue;
    skeleton.first_joint = known.first_joint;
    skeleton.joint_of_path = known.joint_of_path;
    if (skeleton.bind.empty()) skeleton.bind = known.bind;
    stage.skeletons.push_back(std::move(skeleton));
    return {};
  }
  skeleton.first_joint = static_cast<int>(joints.size());
  const Attribute* original = document.attribute(prim, "jointNames");
  const std::vector<std::string_view> names =
      original != nullptr ? read_tokens(original->value) : std::vector<std::string_view>();
  const Attribute* kind_list = document.attribute(prim, "zoe:jointKinds");
  const std::vector<std::string_view> kinds =
      kind_list != nullptr ? read_tokens(kind_list->value) : std::vector<std::string_view>();
  std::vector<Affined> model(n);
  std::vector<int> parents(n, -1);
  for (std::size_t j = 0; j < n; ++j) {
    const std::string_view path = skeleton.joints[j];
    constexpr std::ptrdiff_t kMaxDepth = 1024;
    if (std::count(path.begin(), path.end(), '/') > kMaxDepth)
      return document.error(ErrorCode::kLimit, fmt::format("joints are nested deeper than {}", kMaxDepth), path);
    const int parent = parent_of(skeleton, path);
    if (!skeleton.joint_of_path.emplace(path, static_cast<int>(j)).second)
      return document.error(ErrorCode::kInvalid, fmt::format("joint '{}' is listed twice", path), path);
    parents[j] = parent;
    Affined local;
    if (!rest.empty()) {
      local = rest[j];
    } else if (!skeleton.bind.empty()) {
      local = parent >= 0 ? inverse(skeleton.bind[idx(parent)]) * skeleton.bind[j] : skeleton.bind[j];
    }
    model[j] = parent >= 0 ? model[idx(parent)] * local : local;
    local.t *= skeleton.length_scale;
    if (parent < 0) local = skeleton.model_from_skeleton * local;
    double shear = 0;
    JointDesc joint;
    joint.name = names.size() == n ? unescaped(names[j]) : unescaped(path.substr(path.rfind('/') + 1));
    joint.parent = parent >= 0 ? parent + skeleton.first_joint : kNoJoint;
    joint.rest_local = to_float(decompose(local, &shear));
    if (shear > 1e-4) stage.warnings.push_back({"the rest pose shears, which is dropped", {.joint = joint.name}});
    for (const JointKind kind : {JointKind::kNode, JointKind::kEndSite}) {
      if (kinds.size() == n && kinds[j] == to_string(kind)) joint.kind = kind;
    }
    joints.push_back(std::move(joint));
  }
  if (skeleton.bind.empty()) skeleton.bind = model;
  stage.skeletons.push_back(std::move(skeleton));
  return {};
}

}  // namespace

int inherited_target(const Document& document, int prim, std::string_view name) {
  for (; prim >= 0; prim = document.prim(prim).parent) {
    const Attribute* relation = document.attribute(prim, name, AttributeKind::kTargets);
    if (relation == nullptr) continue;
    const std::vector<std::string_view> paths = read_paths(relation->value);
    return paths.empty() ? -1 : document.find(paths[0]);
  }
  return -1;
}

Result<void> read_skeletons(ReadStage& stage) {
  std::vector<JointDesc> joints;
  for (std::size_t i = 0; i < stage.document.prims().size(); ++i) {
    if (stage.document.prims()[i].type == "Skeleton") ZOE_TRY(read_one(stage, static_cast<int>(i), joints));
  }
  // A scene without a skeleton still has a node that meshes hang on.
  if (joints.empty()) joints.push_back({"root", kNoJoint, {}, JointKind::kNode});
  ZOE_TRY_ASSIGN(stage.character->skeleton, Skeleton::create(std::move(joints)));
  return {};
}

}  // namespace zoe::io::usd
