// SPDX-License-Identifier: MIT
// Part of Zoetrope. The joint hierarchy: immutable, shared, parents before children.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/math/transform.h"

namespace zoe {

constexpr int kNoJoint = -1;

// Type of a joint in its file. Algorithms that need only bones check it first.
enum class JointKind : std::uint8_t {
  kBone,     // A limb node, a skin's joint, a BVH joint.
  kEndSite,  // Marks the tip of a leaf bone: a BVH End Site.
  kNode,     // A plain transform: group, locator, the node of a mesh, camera or light.
};

// "bone", "end_site", "node": the names in files and JSON.
const char* to_string(JointKind kind);

// Editable description of one joint. Skeleton::create builds a Skeleton from a list of them.
struct JointDesc {
  std::string name;
  int parent = kNoJoint;  // Index into the same list, smaller than the joint's own; kNoJoint for a root.
  Transform rest_local;   // parent_from_joint in the rest pose.
  JointKind kind = JointKind::kBone;
};

// Several roots are allowed. Names need not be unique (files are not), but find() returns the first.
class Skeleton {
 public:
  // Fails (kInvalid) on a parent that does not come first, on a non-finite rest pose, and above kMaxJoints.
  static Result<std::shared_ptr<const Skeleton>> create(std::vector<JointDesc> joints);

  static constexpr int kMaxJoints = 65535;  // Skin influences store 16-bit joint indices.

  int num_joints() const { return static_cast<int>(joints_.size()); }
  const std::string& name(int joint) const { return joints_[static_cast<std::size_t>(joint)].name; }
  int parent(int joint) const { return parents_[static_cast<std::size_t>(joint)]; }
  JointKind kind(int joint) const { return joints_[static_cast<std::size_t>(joint)].kind; }
  const Transform& rest_local(int joint) const { return joints_[static_cast<std::size_t>(joint)].rest_local; }

  std::span<const int> parents() const { return parents_; }
  std::span<const JointDesc> joints() const { return joints_; }
  // model_from_joint of every joint in the rest pose.
  std::span<const Affine> rest_model() const { return rest_model_; }

  // Index of the first joint of that name, or kNoJoint.
  int find(std::string_view joint_name) const;
  // Hash of names, parents and types (not the rest pose). Tells whether a clip fits a skeleton.
  std::uint64_t topology_hash() const { return topology_hash_; }

 private:
  Skeleton() = default;
  std::vector<JointDesc> joints_;
  std::vector<int> parents_;
  std::vector<Affine> rest_model_;
  std::uint64_t topology_hash_ = 0;
};

using SkeletonPtr = std::shared_ptr<const Skeleton>;

}  // namespace zoe
