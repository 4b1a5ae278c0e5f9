// SPDX-License-Identifier: MIT
// Part of Zoetrope. The joints of a person by role, in one order and one T-pose for every skeleton: networks of style
// know roles, never joint names, bone lengths or axes of a file.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/pose.h"

namespace zoe::style {

constexpr int kNumRoles = 21;
// Index of a role. Limbs are in pairs: first left, then right.
constexpr int kHips = 0, kSpine = 1, kChest = 2, kNeck = 3, kHead = 4;  // The chest carries the arms.
constexpr int kLeftShoulder = 5, kRightShoulder = 9;                    // Then upper arm, lower arm, hand.
constexpr int kLeftUpperLeg = 13, kRightUpperLeg = 17;                  // Then lower leg, foot, toes.
constexpr int kLeftToes = 16, kRightToes = 20;
constexpr std::array<int, kNumRoles> kRoleParents = {-1, 0,  1, 2,  3,  2,  5, 6,  7,  2, 9,
                                                     10, 11, 0, 13, 14, 15, 0, 17, 18, 19};
const char* role_name(int role);

// A skeleton seen by roles. Immutable after create().
struct RoleBody {
  // The joint of each role, or kNoJoint. Rotations of missing roles are those of the role above.
  std::array<int, kNumRoles> joints{};
  // Model-space rotation of each role's joint in the T-pose that looks along +Z. A rotation of a role is the rotation
  // from this pose.
  std::array<Quat, kNumRoles> t_pose{};
  // From the role above, in the T-pose, leg lengths. Zero for hips and missing roles.
  std::array<Vec3, kNumRoles> offsets{};
  float leg_length = 1;  // Hip to ankle, in the skeleton's unit.
  float toe_height = 0;  // Of the lower toe (or foot) joint over the ground in the reference pose, skeleton's unit.
  int left_foot = -1, right_foot = -1;  // Index among SkeletonAnalysis::feet.

  // Joints of the trunk between two roles: they take a part of the change of both.
  struct Between {
    int joint = kNoJoint, below = 0, above = 0;  // Roles.
    float fraction = 0;                          // 0: moves as `below`, 1: as `above`.
  };
  std::vector<Between> between;
  std::vector<int> role_of;  // [joints] Role of each joint, or -1.
  SkeletonPtr skeleton;

  // `reference`: reference_pose() of the analysis. Y is up. Fails (kUnsupported) on bodies that are no bipeds or lack
  // legs, arms or head.
  static Result<RoleBody> create(SkeletonPtr skeleton, const SkeletonAnalysis& analysis, const Pose& reference);
};

}  // namespace zoe::style
