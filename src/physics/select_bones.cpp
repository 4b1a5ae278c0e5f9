// SPDX-License-Identifier: MIT
#include "physics/select_bones.h"

#include <algorithm>

#include "zoe/core/index.h"

namespace zoe::physics {
namespace {

constexpr float kStillAngleRad = 0.01F;  // A joint that turns less in all clips is rigid.

// [joints] role of the joints that the analysis names; `used` says which those are.
struct NamedJoints {
  std::vector<bool> used;
  std::vector<BoneRole> roles;
};

NamedJoints named_joints(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  NamedJoints named{std::vector<bool>(idx(skeleton.num_joints())),
                    std::vector<BoneRole>(idx(skeleton.num_joints()), BoneRole::kTrunk)};
  const auto use = [&](int joint, BoneRole role) {
    if (joint == kNoJoint || skeleton.kind(joint) == JointKind::kEndSite) return;
    named.used[idx(joint)] = true;
    named.roles[idx(joint)] = role;
  };
  for (const int joint : analysis.tail) use(joint, BoneRole::kOther);
  for (const Limb& limb : analysis.limbs) {
    // Behind a hand come fingers; behind a foot one more bone, the toes.
    const std::vector<int>& ends = limb.kind == LimbKind::kLeg ? analysis.feet : analysis.hands;
    int behind_end = -1;
    for (const int joint : limb.joints) {
      const bool is_end = behind_end < 0 && std::ranges::find(ends, joint) != ends.end();
      if (is_end || behind_end >= 0) ++behind_end;
      if (limb.kind == LimbKind::kLeg) {
        if (behind_end <= 1)
          use(joint, behind_end == 1 ? BoneRole::kToe : behind_end == 0 ? BoneRole::kFoot : BoneRole::kLeg);
      } else if (behind_end <= 0) {
        use(joint, limb.kind == LimbKind::kArm ? BoneRole::kArm : BoneRole::kOther);
      }
    }
  }
  for (const int joint : analysis.spine) use(joint, BoneRole::kTrunk);
  use(analysis.hips, BoneRole::kTrunk);
  use(analysis.head, BoneRole::kHead);
  return named;
}

bool is_below(const Skeleton& skeleton, int joint, int ancestor) {
  while (joint != kNoJoint && joint > ancestor) joint = skeleton.parent(joint);
  return joint == ancestor;
}

bool turns(std::span<const Motion> clips, int joint) {
  for (const Motion& clip : clips) {
    for (int frame = 1; frame < clip.num_frames; ++frame) {
      if (angle_between(clip.frame(0).rotations[idx(joint)], clip.frame(frame).rotations[idx(joint)]) > kStillAngleRad)
        return true;
    }
  }
  return false;
}

}  // namespace

Result<SelectedBones> select_bones(const BodySource& source) {
  const Skeleton& skeleton = source.skeleton;
  NamedJoints named = named_joints(skeleton, source.analysis);
  const int num_joints = skeleton.num_joints();
  int root = kNoJoint;
  for (int joint = 0; joint < num_joints; ++joint) {
    if (!named.used[idx(joint)]) continue;
    if (root == kNoJoint) root = joint;
    while (root != kNoJoint && !is_below(skeleton, joint, root)) root = skeleton.parent(root);
    if (root == kNoJoint)
      return Error{ErrorCode::kInvalid, "parts of the body hang from different roots: no one bone carries them", {}};
  }
  if (root == kNoJoint)
    return Error{ErrorCode::kInvalid, "the analysis found no limbs, spine or tail: there is nothing to simulate", {}};
  named.used[idx(root)] = true;
  // What connects the parts: a clavicle, a pelvis.
  for (int joint = num_joints - 1; joint > root; --joint) {
    if (!named.used[idx(joint)]) continue;
    const int parent = skeleton.parent(joint);
    if (parent == kNoJoint || named.used[idx(parent)]) continue;
    named.used[idx(parent)] = true;
    const BoneRole role = named.roles[idx(joint)];
    named.roles[idx(parent)] = role == BoneRole::kHead ? BoneRole::kTrunk : role;
  }
  bool any_motion = false;
  for (const Motion& clip : source.clips) any_motion = any_motion || clip.num_frames > 10;
  SelectedBones bones;
  bones.bone_of_joint.assign(idx(num_joints), -1);
  for (int joint = root; joint < num_joints; ++joint) {
    const int parent = skeleton.parent(joint);
    const int carrier = joint == root || parent == kNoJoint ? -1 : bones.bone_of_joint[idx(parent)];
    bones.bone_of_joint[idx(joint)] = carrier;
    if (joint != root && carrier < 0) continue;  // Beside the body: a camera, a second rig.
    if (!named.used[idx(joint)] || (joint != root && any_motion && !turns(source.clips, joint))) continue;
    bones.bone_of_joint[idx(joint)] = static_cast<int>(bones.joints.size());
    bones.joints.push_back(joint);
    bones.roles.push_back(named.roles[idx(joint)]);
    bones.parents.push_back(carrier);
  }
  // A leg whose foot is rigid or not named ends in its last bone.
  for (std::size_t b = 0; b < bones.joints.size(); ++b) {
    const auto carries_leg = [&](int parent) { return parent == static_cast<int>(b); };
    if (bones.roles[b] == BoneRole::kLeg && std::ranges::none_of(bones.parents, carries_leg))
      bones.roles[b] = BoneRole::kFoot;
  }
  return bones;
}

}  // namespace zoe::physics
