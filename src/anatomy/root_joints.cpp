// SPDX-License-Identifier: MIT
#include "zoe/anatomy/root_joints.h"

#include <algorithm>
#include <utility>

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

// Whether the line from the hips to the neck leads ahead in the reference pose. The joint of a spider's head may be above
// its body, or behind.
bool neck_leads_ahead(const SkeletonAnalysis& analysis, const RootJoints& joints) {
  constexpr float kMostTurn = 0.5F;  // Cosine.
  const auto at = [&](int joint) { return analysis.reference_positions[static_cast<std::size_t>(joint)]; };
  const auto most = static_cast<int>(analysis.reference_positions.size());
  if (joints.hip >= most || joints.neck >= most) return true;
  Vec3 line = at(joints.neck) - at(joints.hip);
  line = line - analysis.up * dot(line, analysis.up);
  return dot(line, analysis.forward) > kMostTurn * length(line);
}

// Whether left and right are those of a viewer before the body: then the pairs would face backwards.
bool sides_are_mirrored(const SkeletonAnalysis& analysis, const RootJoints& joints) {
  const auto most = static_cast<int>(analysis.reference_positions.size());
  const auto across = [&](int left, int right) {
    if (left == kNoJoint || right == kNoJoint || left >= most || right >= most) return Vec3{};
    return analysis.reference_positions[static_cast<std::size_t>(left)] -
           analysis.reference_positions[static_cast<std::size_t>(right)];
  };
  const Vec3 sum = across(joints.left_hip, joints.right_hip) + across(joints.left_shoulder, joints.right_shoulder);
  return dot(cross(sum, analysis.up), analysis.forward) < 0;
}

}  // namespace

RootJoints root_joints(const SkeletonAnalysis& analysis) {
  RootJoints joints;
  joints.hip = analysis.hips != kNoJoint ? analysis.hips : analysis.root;
  joints.left_hip = upper_joint(analysis, LimbKind::kLeg, Side::kLeft, analysis.feet);
  joints.right_hip = upper_joint(analysis, LimbKind::kLeg, Side::kRight, analysis.feet);
  joints.left_shoulder = upper_joint(analysis, LimbKind::kArm, Side::kLeft, analysis.hands);
  joints.right_shoulder = upper_joint(analysis, LimbKind::kArm, Side::kRight, analysis.hands);
  // Flyers without legs face across their wings.
  if (!can_face(joints, RootOptions::Facing::kBiped)) {
    joints.left_shoulder = upper_joint(analysis, LimbKind::kWing, Side::kLeft, {});
    joints.right_shoulder = upper_joint(analysis, LimbKind::kWing, Side::kRight, {});
  }
  joints.neck = analysis.spine.size() > 1 ? analysis.spine.back() : analysis.head;
  if (joints.neck == joints.hip) joints.neck = analysis.head;
  if (sides_are_mirrored(analysis, joints)) {
    std::swap(joints.left_hip, joints.right_hip);
    std::swap(joints.left_shoulder, joints.right_shoulder);
  }
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
  const bool by_pair = has_pair && (upright || !has_neck || !neck_leads_ahead(analysis, joints));
  return by_pair || !has_neck ? RootOptions::Facing::kBiped : RootOptions::Facing::kQuadruped;
}

}  // namespace zoe
