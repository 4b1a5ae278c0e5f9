// SPDX-License-Identifier: MIT
// Part of Zoetrope. Converts FBX nodes to joints. Our joints always pass their scale on; FBX nodes may not
// (InheritType). Where that matters, a node's scale moves to an extra child joint "<name>_scale", which carries its
// mesh and the children that inherit it. The other children belong to the unscaled joint. Elsewhere a node is a joint.
#pragma once

#include <span>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/math/transform.h"

#include "io/fbx/animation.h"
#include "io/fbx/curve_reader.h"
#include "io/fbx/scene_nodes.h"
#include "io/fbx/settings.h"

namespace zoe::io::fbx {

struct NodeJoints {
  int joint = kNoJoint;        // Rotation and translation, and the scale unless it has its own joint.
  int scale_joint = kNoJoint;  // The extra joint, or kNoJoint.
  int parent_joint = kNoJoint;
  // Child of the parent's unscaled joint: the parent's scale moves this node, but does not stretch it.
  bool compensated = false;
  bool multiplies_parent_scale = false;  // RrSs: own scale times the parent's, axis by axis.

  // The joint with the node's whole transform. Meshes and skins use it.
  int full_joint() const { return scale_joint != kNoJoint ? scale_joint : joint; }
};

// Generality of a scale over all takes, in ascending order.
enum class ScaleClass : std::uint8_t { kOne, kUniform, kAny };

class SkeletonPlan {
 public:
  // `scene` must outlive the plan. Fails on damaged curves of scales.
  static Result<SkeletonPlan> make(const SceneNodes& scene, const Animation& animation, CurveReader& curves);

  std::span<const NodeJoints> nodes() const { return nodes_; }
  int num_joints() const { return num_joints_; }
  // A take animates the node or one of its ancestors.
  bool moves(std::size_t node) const { return moves_[node]; }
  // Some node is scaled, at rest or in a take.
  bool has_scales() const { return has_scales_; }
  // False when every joint follows from its own node alone.
  bool coupled() const { return coupled_; }

  // Parent-relative transform of a node's joint, and scale of its scale joint, in file space.
  // `scales` holds inherited_scale() of the node's ancestors.
  Transformd joint_local(int node, const Transformd& node_local, std::span<const Vec3d> scales) const;
  // The scale that a node passes to its compensated children. Fills scales[node] and factors[node].
  void inherit_scale(int node, const Transformd& node_local, std::span<Vec3d> scales, std::span<Vec3d> factors) const;

 private:
  SkeletonPlan(const SceneNodes& scene, const Animation& animation, const std::vector<ScaleClass>& own);

  const SceneNodes* scene_;
  std::vector<NodeJoints> nodes_;
  int num_joints_ = 0;
  bool coupled_ = false;
  bool has_scales_ = false;
  std::vector<bool> moves_;
};

// The skeleton in the rest pose, in our space.
Result<SkeletonPtr> build_skeleton(const ObjectGraph& graph, const SceneNodes& scene, const SkeletonPlan& plan,
                                   const SpaceConversion& conversion);

// Writes the joints of all nodes for one set of node transforms (file space): emit(joint,
// parent-relative transform).
class JointPlacer {
 public:
  JointPlacer(const SceneNodes& scene, const SkeletonPlan& plan, const SpaceConversion& conversion)
      : scene_(&scene),
        plan_(&plan),
        conversion_(conversion),
        scales_(scene.nodes.size()),
        factors_(scene.nodes.size()) {}

  template <typename Emit>
  void place_all(std::span<const Transformd> locals, const Emit& emit) {
    for (int node = 0; node < static_cast<int>(locals.size()); ++node) {
      plan_->inherit_scale(node, locals[static_cast<std::size_t>(node)], scales_, factors_);
      place(node, locals[static_cast<std::size_t>(node)], emit);
    }
  }
  // One node alone: only when the plan is not coupled.
  template <typename Emit>
  void place(int node, const Transformd& local, const Emit& emit) {
    const NodeJoints& joints = plan_->nodes()[static_cast<std::size_t>(node)];
    emit(joints.joint, conversion_.node(plan_->joint_local(node, local, scales_), joints.parent_joint == kNoJoint));
    if (joints.scale_joint != kNoJoint)
      emit(joints.scale_joint, Transformd{{}, {}, scales_[static_cast<std::size_t>(node)]});
  }

 private:
  const SceneNodes* scene_;
  const SkeletonPlan* plan_;
  SpaceConversion conversion_;
  std::vector<Vec3d> scales_, factors_;
};

}  // namespace zoe::io::fbx
