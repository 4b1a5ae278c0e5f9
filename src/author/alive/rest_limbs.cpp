// SPDX-License-Identifier: MIT
// Part of Zoetrope. Arms and wings of a bind pose (a T) brought to where a walking body holds them.
#include <algorithm>
#include <cmath>

#include "zoe/anatomy/leg_rig.h"
#include "zoe/core/index.h"
#include "zoe/motion/still.h"
#include "zoe/retarget/skin_stretch.h"

#include "author/alive/plan.h"

namespace zoe::author {
namespace {

// Largest stretch of the skin that is no tear, where no clips tell it: as allowed_stretch().
constexpr double kMostStretch = 2;

Quat shortest_turn(Vec3 from, Vec3 to) {
  const Vec3 a = normalized(from, Vec3{0, -1, 0}), b = normalized(to, Vec3{0, -1, 0});
  const float c = dot(a, b);
  if (c < -0.9999F) return from_axis_angle(Vec3{0, 0, 1}, 3.14159265F);
  const Vec3 axis = cross(a, b);
  return normalized(Quat{axis.x, axis.y, axis.z, 1 + c});
}

double stretch_of(const StandingRig& rig) {
  if (!rig.character) return 1;
  const Motion still = make_still(rig.skeleton, rig.pose.view());
  return measure_skin_stretch(*rig.character, {&still, 1}, 1).p995;
}

// Half width of the trunk and the legs at a height.
float half_width(const StandingRig& rig, float low_m, float high_m) {
  float width = 0;
  const auto is_of_arm = [&](int joint) {
    for (const Limb& limb : rig.analysis.limbs)
      if (limb.kind != LimbKind::kLeg && !limb.joints.empty() && rig.is_below(joint, limb.joints.front())) return true;
    return false;
  };
  std::vector<char> counts(idx(rig.skeleton->num_joints()));
  for (int j = 0; j < rig.skeleton->num_joints(); ++j) counts[idx(j)] = is_of_arm(j) ? 0 : 1;
  for (const StandingRig::SkinPoint& point : rig.skin) {
    if (point.joint < 0 || counts[idx(point.joint)] == 0 || point.position.y < low_m || point.position.y > high_m)
      continue;
    width = std::max(width, std::abs(point.position.x));
  }
  return width;
}

void lower_arm(StandingRig& rig, const Limb& limb, float side) {
  const ArmJoints arm = arm_joints(rig, limb);
  if (arm.upper == kNoJoint) return;
  const int tip = arm.hand != kNoJoint ? arm.hand : limb.joints.back();
  const Vec3 shoulder = rig.at(arm.upper);
  Vec3 line = rig.at(tip) - shoulder;
  // An arm of one joint: to the farthest point of its skin.
  if (tip == arm.upper) {
    for (const StandingRig::SkinPoint& point : rig.skin) {
      const Vec3 to = point.position - shoulder;
      if (point.joint >= 0 && rig.is_below(point.joint, tip) && dot(to, to) > dot(line, line)) line = to;
    }
  }
  const float far = length(line);
  if (!(far > 0) || -line.y > 0.85F * far) return;
  // As near to the body as its width allows.
  const float width = half_width(rig, shoulder.y - 1.1F * far, shoulder.y - 0.3F * far);
  const float room = std::clamp((width * 1.05F - std::abs(shoulder.x)) / far, 0.12F, 0.75F);
  const Vec3 down = normalized(Vec3{side * room, -std::sqrt(1 - room * room), 0.04F});
  const Pose before = rig.pose;
  for (const float share : {1.0F, 0.75F, 0.5F, 0.25F}) {
    rig.pose = before;
    rig.turn(arm.upper, slerp(Quat{}, shortest_turn(line, down), share));
    if (stretch_of(rig) <= kMostStretch) break;
  }
  rig.update();
}

// Height of the lowest joint of a limb above the ground.
float lowest_below(const StandingRig& rig, int first) {
  float low_m = 1e30F;
  for (int j = 0; j < rig.skeleton->num_joints(); ++j)
    if (rig.is_below(j, first)) low_m = std::min(low_m, rig.at(j).y);
  return low_m;
}

void fold_wing(StandingRig& rig, const Limb& limb, float side) {
  if (limb.joints.size() < 2) return;
  const int first = limb.joints.front();
  const Vec3 line = rig.at(limb.joints.back()) - rig.at(first);
  if (!(length(line) > 0) || std::abs(line.x) < 0.5F * length(line)) return;  // Not spread.
  const Pose before = rig.pose;
  // Back along the body, a little down; less far or less low where the skin tears or the wing is in the ground.
  struct Folded {
    float share, down_rad;
  };
  Pose best = before;
  float best_low_m = -1e30F;
  for (const auto& [share, down_rad] : {Folded{1, 0.35F},
                                        {1, 0},
                                        {1, -0.35F},
                                        {0.6F, 0.35F},
                                        {0.6F, 0},
                                        {0.6F, -0.35F},
                                        {0.3F, 0.35F},
                                        {0.3F, 0},
                                        {0.3F, -0.35F},
                                        {0.3F, -1.2F}}) {
    rig.pose = before;
    const Quat back = from_axis_angle(Vec3{0, 1, 0}, side * 1.05F * share);
    const Quat down = from_axis_angle(Vec3{0, 0, 1}, -side * down_rad * share);
    rig.turn(first, back * down);
    if (stretch_of(rig) > kMostStretch) continue;
    rig.update();
    const float low_m = lowest_below(rig, first);
    if (low_m <= best_low_m) continue;
    best = rig.pose;
    best_low_m = std::min(low_m, 0.0F);
    if (low_m >= 0) break;
  }
  rig.pose = best;
  rig.update();
}

}  // namespace

ArmJoints arm_joints(const StandingRig& rig, const Limb& limb) {
  ArmJoints arm;
  auto end = limb.joints.end();
  for (auto joint = limb.joints.begin(); joint != limb.joints.end(); ++joint)
    if (std::find(rig.analysis.hands.begin(), rig.analysis.hands.end(), *joint) != rig.analysis.hands.end())
      end = joint + 1;
  const std::vector<int> chain(limb.joints.begin(), end);
  if (chain.empty()) return arm;
  if (chain.size() >= 3) {
    const std::size_t hinge = anatomy::hinge_of(chain, rig.analysis.reference_positions);
    arm = {chain[hinge - 1], chain[hinge], chain.back()};
  } else {
    arm = {chain.front(), kNoJoint, chain.size() > 1 ? chain.back() : kNoJoint};
  }
  return arm;
}

void rest_limbs(StandingRig& rig, bool upright, bool walks) {
  const SkeletonAnalysis body = rig.analysis;
  for (const Limb& limb : body.limbs) {
    if (limb.joints.empty()) continue;
    const float side = limb.side == Side::kLeft                                       ? 1.0F
                       : limb.side == Side::kRight                                    ? -1.0F
                       : rig.at(limb.joints.back()).x > rig.at(limb.joints.front()).x ? 1.0F
                                                                                      : -1.0F;
    if (limb.kind == LimbKind::kArm && upright) lower_arm(rig, limb, side);
    if (limb.kind == LimbKind::kWing && walks) fold_wing(rig, limb, side);
  }
}

}  // namespace zoe::author
