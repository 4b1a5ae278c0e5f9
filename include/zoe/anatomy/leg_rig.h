// SPDX-License-Identifier: MIT
// Part of Zoetrope. Legs as two bones and a foot, and moving their ankles to given positions exactly.
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::anatomy {

struct LegRig {
  int limb = -1;  // Index into SkeletonAnalysis::limbs.
  int hip = kNoJoint, knee = kNoJoint,
      ankle = kNoJoint;  // The hinge with the longest bones, and the foot.
  int ball = kNoJoint;   // Next in the limb, where the foot has a length.
  Vec3 bend_axis{};      // In the hip's frame, where a clip never bends it; zero: unknown.
};

// Index in a chain of the knee or elbow: a true hinge, between the joint before it and the end, with the longest bones
// on both sides. The chain has at least three joints. positions: [joints of the skeleton].
std::size_t hinge_of(const std::vector<int>& joints, const std::vector<Vec3>& positions);

// One per leg whose foot is a joint of its own chain with at least two joints above it in the limb. with_tips: also
// where the foot is a plain node, the tip of a leg that has no foot of its own.
std::vector<LegRig> find_leg_rigs(const Skeleton& skeleton, const SkeletonAnalysis& analysis, bool with_tips = false);

// [frames] sine of the bend of a knee or elbow; negative where it is bent against its usual direction.
std::vector<float> hinge_bends(const Motion& motion, const LegRig& leg);

// Rotates hips and knees of every frame until ankles are at their goals, model space, or as near as the leg reaches.
// Feet keep their orientation in the model. Knees bend in their present plane; straight ones as in the frames around.
// Frames whose ankle is already there (to 1e-6 of the leg) do not change. goals: [legs][frames]. soften: see
// TwoBoneIkSettings.
void reach_ankles(Motion& motion, std::span<const LegRig> legs, std::span<const std::vector<Vec3>> goals,
                  float soften = 1);

}  // namespace zoe::anatomy
