// SPDX-License-Identifier: MIT
// Part of Zoetrope. The joints besides the legs that take part in a motion, and their limits.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "zoe/core/index.h"

#include "author/alive/plan.h"

namespace zoe::author {
namespace {

using control::GaitPart;
using control::Locomotion;
using Role = GaitPart::Role;

constexpr float kDegree = std::numbers::pi_v<float> / 180;

// Joints from below `from` to `to`, both below the trunk; empty where `to` is not below `from`.
std::vector<int> path_between(const StandingRig& rig, int from, int to) {
  std::vector<int> path;
  for (int j = to; j != from; j = rig.skeleton->parent(j)) {
    if (j == kNoJoint) return {};
    path.push_back(j);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

class PartFinder {
 public:
  PartFinder(const StandingRig& rig, int trunk, const std::vector<PlannedLeg>& legs)
      : rig_(rig), trunk_(trunk), legs_(legs) {}

  // A joint that carries all legs is a second trunk, and what is in a leg is the leg's.
  bool is_free(int joint) const {
    if (joint == kNoJoint || joint == trunk_ || !rig_.is_below(joint, trunk_) || parts_.count(joint) != 0) return false;
    bool carries_all = !legs_.empty();
    for (const PlannedLeg& leg : legs_) {
      if (rig_.is_below(joint, leg.leg.hip)) return false;
      carries_all = carries_all && rig_.is_below(leg.leg.hip, joint);
    }
    return !carries_all;
  }
  void add_chain(const std::vector<int>& joints, Role role, float side = 0) {
    std::vector<int> free;
    for (const int joint : joints)
      if (is_free(joint)) free.push_back(joint);
    const auto n = static_cast<float>(free.size());
    for (std::size_t i = 0; i < free.size(); ++i)
      add({free[i], role, side, static_cast<float>(i) / std::max(n, 1.0F), 1 / std::max(n, 1.0F)});
  }
  void add(const GaitPart& part) {
    if (is_free(part.joint)) parts_.emplace(part.joint, part);
  }
  std::vector<GaitPart> take() const {
    std::vector<GaitPart> out;
    for (const auto& [joint, part] : parts_) out.push_back(part);
    return out;
  }

 private:
  const StandingRig& rig_;
  int trunk_;
  const std::vector<PlannedLeg>& legs_;
  std::map<int, GaitPart> parts_;
};

float swing_limit(Role role) {
  switch (role) {
    case Role::kSpine:
      return 35;
    case Role::kNeck:
      return 50;
    case Role::kTail:
      return 45;
    case Role::kArm:
      return 110;
    case Role::kForearm:
      return 150;
    case Role::kWing:
      return 80;
    case Role::kWave:
      return 70;
  }
  return 30;
}

JointLimit cone_at(const StandingRig& rig, int joint, Vec3 bone, float swing_deg, float twist_deg) {
  const Vec3 axis = normalized(rotate(conjugate(rig.rotations[idx(joint)]), bone), Vec3{0, 1, 0});
  return make_cone(rig.pose.rotations[idx(joint)], axis, swing_deg * kDegree, -twist_deg * kDegree,
                   twist_deg * kDegree);
}

// The direction in which a joint's bone points: to its farthest child.
Vec3 bone_of(const StandingRig& rig, int joint) {
  Vec3 bone{};
  for (int j = 0; j < rig.skeleton->num_joints(); ++j) {
    if (rig.skeleton->parent(j) != joint) continue;
    if (const Vec3 to = rig.at(j) - rig.at(joint); dot(to, to) > dot(bone, bone)) bone = to;
  }
  return bone;
}

}  // namespace

bool is_wide_fin(const StandingRig& rig, const Limb& limb) {
  constexpr float kWide = 0.2F;  // Of the body's length, as the largest side of its joints' box.
  if (limb.kind != LimbKind::kFin || limb.side == Side::kCenter || limb.joints.size() < 2) return false;
  Vec3 low = rig.at(0), high = low;
  for (const Affine& joint : rig.model) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], joint.t[k]);
      high[k] = std::max(high[k], joint.t[k]);
    }
  }
  const Vec3 box = high - low;
  const float wide = std::abs(rig.at(limb.joints.back()).x - rig.at(limb.joints.front()).x);
  return wide > kWide * std::max({box.x, box.y, box.z});
}

std::vector<GaitPart> find_parts(const StandingRig& rig, Locomotion locomotion, int trunk,
                                 const std::vector<PlannedLeg>& legs, bool upright) {
  const SkeletonAnalysis& body = rig.analysis;
  PartFinder parts(rig, trunk, legs);
  const bool waves = locomotion == Locomotion::kCrawl || locomotion == Locomotion::kSwim;
  if (waves) {
    std::vector<int> chain = body.spine;
    chain.insert(chain.end(), body.tail.begin(), body.tail.end());
    if (body.head != kNoJoint) {
      const std::vector<int> neck = path_between(rig, trunk, body.head);
      chain.insert(chain.end(), neck.begin(), neck.end());
    }
    std::sort(chain.begin(), chain.end());
    const auto behind = [&](int joint) { return rig.at(trunk).z - rig.at(joint).z; };
    for (const int joint : chain) {
      int before = rig.skeleton->parent(joint);
      while (before != kNoJoint && before != trunk && std::find(chain.begin(), chain.end(), before) == chain.end())
        before = rig.skeleton->parent(before);
      if (before == kNoJoint) continue;
      parts.add({joint, Role::kWave, 0, behind(joint), before == trunk ? 0 : behind(before)});
    }
  }
  for (const Limb& limb : body.limbs) {
    const float side = limb.side == Side::kLeft ? 1.0F : limb.side == Side::kRight ? -1.0F : 0.0F;
    if (limb.kind == LimbKind::kArm && locomotion == Locomotion::kLegs) {
      const ArmJoints arm = arm_joints(rig, limb);
      parts.add({arm.upper, Role::kArm, side, 0, upright ? 1.0F : 0.3F});
      if (upright) parts.add({arm.lower, Role::kForearm, side, 1, 1});
    }
    if (limb.kind == LimbKind::kWing || (locomotion == Locomotion::kSwim && is_wide_fin(rig, limb))) {
      for (std::size_t i = 0; i + 1 < limb.joints.size() || i == 0; ++i) {
        if (i >= limb.joints.size()) break;
        const float share = i == 0 ? 1.0F : 0.5F / static_cast<float>(i);
        parts.add({limb.joints[i], Role::kWing, side, static_cast<float>(i), share});
      }
    }
  }
  const int top = body.spine.empty() ? trunk : body.spine.back();
  if (body.head != kNoJoint) {
    std::vector<int> neck = path_between(rig, top, body.head);
    if (neck.empty()) neck = {body.head};
    // The spine of the analysis ends with the neck.
    if (!body.spine.empty() && legs.size() != 2) neck.insert(neck.begin(), body.spine.back());
    parts.add_chain(neck, Role::kNeck);
  }
  parts.add_chain(body.spine, Role::kSpine);
  parts.add_chain(body.tail, Role::kTail);
  return parts.take();
}

std::vector<JointLimit> make_limits(const StandingRig& rig, const control::GaitPlan& plan) {
  std::vector<JointLimit> limits(idx(rig.skeleton->num_joints()));
  for (const GaitPart& part : plan.parts)
    limits[idx(part.joint)] =
        cone_at(rig, part.joint, bone_of(rig, part.joint), swing_limit(part.role), 0.6F * swing_limit(part.role));
  for (const control::GaitLeg& leg : plan.legs) {
    const Vec3 hip = rig.at(leg.hip), end = rig.at(leg.end) + leg.tip_m;
    const Vec3 knee = leg.knee == kNoJoint ? end : rig.at(leg.knee);
    limits[idx(leg.hip)] = cone_at(rig, leg.hip, knee - hip, 85, 60);
    if (leg.knee != kNoJoint) {
      // A hinge about the normal of the leg's plane: from straight (and 4 degrees more) to folded.
      const Vec3 normal = normalized(cross(normalized(end - hip), leg.pole), Vec3{1, 0, 0});
      const Vec3 upper = normalized(knee - hip), lower = normalized(end - knee);
      const float bend = std::atan2(-dot(cross(upper, lower), normal), dot(upper, lower));
      const Vec3 axis = normalized(rotate(conjugate(rig.rotations[idx(leg.knee)]), -normal), Vec3{1, 0, 0});
      limits[idx(leg.knee)] =
          make_hinge(rig.pose.rotations[idx(leg.knee)], axis, std::max(-bend - 4 * kDegree, -170 * kDegree),
                     std::clamp(160 * kDegree - bend, 1 * kDegree, 170 * kDegree));
    }
    if (leg.end != leg.hip) limits[idx(leg.end)] = cone_at(rig, leg.end, bone_of(rig, leg.end), 85, 60);
    if (leg.ball != kNoJoint) limits[idx(leg.ball)] = cone_at(rig, leg.ball, bone_of(rig, leg.ball), 75, 45);
  }
  return limits;
}

}  // namespace zoe::author
