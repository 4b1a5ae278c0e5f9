// SPDX-License-Identifier: MIT
#include "io/fbx/skeleton_plan.h"

#include <algorithm>
#include <cmath>

namespace zoe::io::fbx {
namespace {

constexpr double kUnitTolerance = 1e-6;

ScaleClass class_of(Vec3d scale) {
  if (std::abs(scale.x - scale.y) > kUnitTolerance || std::abs(scale.y - scale.z) > kUnitTolerance)
    return ScaleClass::kAny;
  return std::abs(scale.x - 1) > kUnitTolerance ? ScaleClass::kUniform : ScaleClass::kOne;
}

bool is_one(double value) { return std::abs(value - 1) <= kUnitTolerance; }

Result<ScaleClass> class_of(CurveReader& curves, const AnimTrack& track, Vec3d rest) {
  bool all_one = true, same = true;
  std::vector<float> first_values;
  for (std::size_t i = 0; i < 3; ++i) {
    if (track.curves[i] == kNoCurve) {
      all_one = all_one && is_one(track.has_default[i] ? track.defaults[i] : rest[i]);
      same = false;
      continue;
    }
    ZOE_TRY_ASSIGN(std::vector<float> values, curves.values(track.curves[i]));
    all_one =
        all_one && std::all_of(values.begin(), values.end(), [](float v) { return is_one(static_cast<double>(v)); });
    if (i == 0) {
      first_values = std::move(values);
    } else {
      same = same && values == first_values;
    }
  }
  if (all_one) return ScaleClass::kOne;
  if (!same) return ScaleClass::kAny;
  ZOE_TRY_ASSIGN(const auto times, curves.times(track.curves[0]));
  for (const std::size_t i : {1, 2}) {
    ZOE_TRY_ASSIGN(const auto others, curves.times(track.curves[i]));
    if (others != times) return ScaleClass::kAny;
  }
  return ScaleClass::kUniform;
}

// The most general class of every node's own scale, at rest and in all takes.
Result<std::vector<ScaleClass>> own_classes(const SceneNodes& scene, const Animation& animation, CurveReader& curves) {
  std::vector<ScaleClass> classes;
  classes.reserve(scene.nodes.size());
  for (const SceneNode& node : scene.nodes) classes.push_back(class_of(node.chain.part(ChainPart::kScaling)));
  for (const AnimStack& stack : animation.stacks) {
    for (std::size_t layer = 0; layer < stack.layers.size(); ++layer) {
      for (const AnimTrack& track : stack.layers[layer].tracks) {
        if (track.chain != ChainPart::kScaling) continue;
        const int node = scene.node_of_object[track.object];
        if (node == kNoNode) continue;
        ScaleClass& known = classes[static_cast<std::size_t>(node)];
        const Vec3d rest = scene.nodes[static_cast<std::size_t>(node)].chain.part(ChainPart::kScaling);
        if (known == ScaleClass::kAny) continue;  // No class is more general.
        ScaleClass animated = ScaleClass::kAny;
        if (layer == 0) {
          ZOE_TRY_ASSIGN(animated, class_of(curves, track, rest));
        }
        known = std::max(known, animated);
      }
    }
  }
  return classes;
}

}  // namespace

Result<SkeletonPlan> SkeletonPlan::make(const SceneNodes& scene, const Animation& animation, CurveReader& curves) {
  ZOE_TRY_ASSIGN(const std::vector<ScaleClass> own, own_classes(scene, animation, curves));
  return SkeletonPlan(scene, animation, own);
}

SkeletonPlan::SkeletonPlan(const SceneNodes& scene, const Animation& animation, const std::vector<ScaleClass>& own)
    : scene_(&scene), nodes_(scene.nodes.size()), moves_(scene.nodes.size(), false) {
  for (const AnimStack& stack : animation.stacks) {
    for (const AnimLayer& layer : stack.layers) {
      for (const AnimTrack& track : layer.tracks) {
        const int node = scene.node_of_object[track.object];
        if (node != kNoNode) moves_[static_cast<std::size_t>(node)] = true;
      }
    }
  }
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].parent != kNoNode && moves_[static_cast<std::size_t>(scene.nodes[i].parent)]) moves_[i] = true;
  }
  has_scales_ = std::any_of(own.begin(), own.end(), [](ScaleClass c) { return c != ScaleClass::kOne; });
  std::vector<ScaleClass> shown = own;  // Of the scale that compensated children receive.
  std::vector<bool> split(scene.nodes.size(), false);
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const SceneNode& node = scene.nodes[i];
    if (node.parent == kNoNode) continue;
    const auto parent = static_cast<std::size_t>(node.parent);
    // A uniform scale commutes with rotation, so RrSs is then the ordinary case.
    const bool ordinary = node.chain.inherit == InheritType::kRSrs || shown[parent] == ScaleClass::kOne ||
                          (node.chain.inherit == InheritType::kRrSs && shown[parent] == ScaleClass::kUniform);
    if (ordinary) continue;
    nodes_[i].compensated = true;
    nodes_[i].multiplies_parent_scale = node.chain.inherit == InheritType::kRrSs;
    split[parent] = true;
    coupled_ = true;
    shown[i] = std::max(
        own[i], nodes_[i].multiplies_parent_scale || nodes_[parent].compensated ? shown[parent] : ScaleClass::kOne);
  }
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    NodeJoints& joints = nodes_[i];
    joints.joint = num_joints_++;
    if (split[i]) joints.scale_joint = num_joints_++;
    if (scene.nodes[i].parent == kNoNode) continue;
    const NodeJoints& parent = nodes_[static_cast<std::size_t>(scene.nodes[i].parent)];
    joints.parent_joint = joints.compensated ? parent.joint : parent.full_joint();
  }
}

void SkeletonPlan::inherit_scale(int node, const Transformd& node_local, std::span<Vec3d> scales,
                                 std::span<Vec3d> factors) const {
  const auto i = static_cast<std::size_t>(node);
  Vec3d factor{1, 1, 1};
  if (nodes_[i].compensated) {
    const auto parent = static_cast<std::size_t>(scene_->nodes[i].parent);
    // Rrs drops only the parent's own scale. The scale that the parent inherited stays.
    factor = nodes_[i].multiplies_parent_scale ? scales[parent] : factors[parent];
  }
  factors[i] = factor;
  scales[i] = factor * node_local.scale;
}

Transformd SkeletonPlan::joint_local(int node, const Transformd& node_local, std::span<const Vec3d> scales) const {
  const NodeJoints& joints = nodes_[static_cast<std::size_t>(node)];
  Transformd local = node_local;
  if (joints.compensated) {
    local.translation =
        local.translation * scales[static_cast<std::size_t>(scene_->nodes[static_cast<std::size_t>(node)].parent)];
    local.scale = scales[static_cast<std::size_t>(node)];
  }
  if (joints.scale_joint != kNoJoint) local.scale = {1, 1, 1};
  return local;
}

Result<SkeletonPtr> build_skeleton(const ObjectGraph& graph, const SceneNodes& scene, const SkeletonPlan& plan,
                                   const SpaceConversion& conversion) {
  std::vector<JointDesc> descs(static_cast<std::size_t>(plan.num_joints()));
  std::vector<Transformd> locals;
  locals.reserve(scene.nodes.size());
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const SceneNode& node = scene.nodes[i];
    const NodeJoints& joints = plan.nodes()[i];
    JointDesc& desc = descs[static_cast<std::size_t>(joints.joint)];
    desc.name = graph.object(node.object).name();
    desc.parent = joints.parent_joint;
    desc.kind = node.kind;
    if (joints.scale_joint != kNoJoint) {
      JointDesc& scale = descs[static_cast<std::size_t>(joints.scale_joint)];
      scale.name = desc.name + "_scale";
      scale.parent = joints.joint;
      scale.kind = JointKind::kNode;
    }
    locals.push_back(local_transform(node.chain));
  }
  JointPlacer(scene, plan, conversion).place_all(locals, [&](int joint, const Transformd& local) {
    descs[static_cast<std::size_t>(joint)].rest_local = to_float(local);
  });
  return Skeleton::create(std::move(descs));
}

}  // namespace zoe::io::fbx
