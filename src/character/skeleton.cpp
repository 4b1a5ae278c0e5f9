// SPDX-License-Identifier: MIT
#include "zoe/character/skeleton.h"

#include <fmt/format.h>

namespace zoe {
namespace {

// FNV-1a, 64 bit.
void hash_bytes(std::uint64_t& hash, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
}

}  // namespace

const char* to_string(JointKind kind) {
  switch (kind) {
    case JointKind::kBone:
      return "bone";
    case JointKind::kEndSite:
      return "end_site";
    case JointKind::kNode:
      return "node";
  }
  return "node";
}

Result<SkeletonPtr> Skeleton::create(std::vector<JointDesc> joints) {
  if (joints.size() > static_cast<std::size_t>(kMaxJoints)) {
    return Error{ErrorCode::kLimit, fmt::format("{} joints; at most {} are supported", joints.size(), kMaxJoints), {}};
  }
  auto skeleton = std::shared_ptr<Skeleton>(new Skeleton());
  skeleton->parents_.reserve(joints.size());
  skeleton->rest_model_.reserve(joints.size());
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointDesc& joint = joints[i];
    if (joint.parent < kNoJoint || joint.parent >= static_cast<int>(i)) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("joint {} has parent {}; parents must come before their children", i, joint.parent),
                   {.joint = joint.name}};
    }
    const Affine local = to_affine(joint.rest_local);
    if (!is_finite(local)) {
      return Error{ErrorCode::kInvalid, "rest pose is not finite", {.joint = joint.name}};
    }
    skeleton->parents_.push_back(joint.parent);
    skeleton->rest_model_.push_back(
        joint.parent == kNoJoint ? local : skeleton->rest_model_[static_cast<std::size_t>(joint.parent)] * local);
    hash_bytes(hash, joint.name.data(), joint.name.size());
    hash_bytes(hash, &joint.parent, sizeof joint.parent);
    hash_bytes(hash, &joint.kind, sizeof joint.kind);
  }
  skeleton->joints_ = std::move(joints);
  skeleton->topology_hash_ = hash;
  return SkeletonPtr(std::move(skeleton));
}

int Skeleton::find(std::string_view joint_name) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].name == joint_name) return static_cast<int>(i);
  }
  return kNoJoint;
}

}  // namespace zoe
