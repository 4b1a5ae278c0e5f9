// SPDX-License-Identifier: MIT
#include "zoe/anatomy/root_joints.h"

#include <algorithm>

namespace zoe {
namespace {

// Two joints above the tip where the chain is that long.
int upper_joint(const SkeletonAnalysis& analysis, LimbKind kind, Side side, const std::vector<int>& tips) {
  for (const Limb& limb : analysis.limbs) {
    if (limb.kind != kind || limb.side != side || limb.joints.empty()) continue;
    const auto tip = std::find_first_of(limb.joints.begin(), limb.joints.end(), tips.begin(), tips.end());
    const std::ptrdiff_t place = tip == limb.joints.end() ? 0 : tip - limb.joints.begin();
    return limb.joints[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, place - 2))];
  }
  return kNoJoint;
}

}  // namespace

RootJoints root_joints(const SkeletonAnalysis& analysis) {
  RootJoints joints;
  joints.hip = analysis.hips != kNoJoint ? analysis.hips : analysis.root;
  joints.left_hip = upper_joint(analysis, LimbKind::kLeg, Side::kLeft, analysis.feet);
  joints.right_hip = upper_joint(analysis, LimbKind::kLeg, Side::kRight, analysis.feet);
  joints.left_shoulder = upper_joint(analysis, LimbKind::kArm, Side::kLeft, analysis.hands);
  joints.right_shoulder = upper_joint(analysis, LimbKind::kArm, Side::kRight, analysis.hands);
  joints.neck = analysis.spine.size() > 1 ? analysis.spine.back() : analysis.head;
  if (joints.neck == joints.hip) joints.neck = analysis.head;
  return joints;
}

bool can_face(const RootJoints& joints, RootOptions::Facing rule) {
  if (joints.hip == kNoJoint) return false;
  if (rule == RootOptions::Facing::kQuadruped) return joints.neck != kNoJoint && joints.neck != joints.hip;
  return (joints.left_hip != kNoJoint && joints.right_hip != kNoJoint) ||
         (joints.left_shoulder != kNoJoint && joints.right_shoulder != kNoJoint);
}

std::optional<RootOptions::Facing> facing_rule(const SkeletonAnalysis& analysis, const RootJoints& joints) {
  const bool has_pair = can_face(joints, RootOptions::Facing::kBiped);
  const bool has_neck = can_face(joints, RootOptions::Facing::kQuadruped);
  const bool upright = analysis.family == BodyFamily::kBiped || analysis.family == BodyFamily::kBird;
  if (!has_pair && !has_neck) return std::nullopt;
  return (upright && has_pair) || !has_neck ? RootOptions::Facing::kBiped : RootOptions::Facing::kQuadruped;
}

}  // namespace zoe
