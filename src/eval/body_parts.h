// SPDX-License-Identifier: MIT
// Part of Zoetrope. Any body as five parts with one measure of length, so that bodies of all families are described by
// the same numbers.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::eval {

enum class Part : std::uint8_t { kTrunk, kLegs, kArms, kTail, kAll };  // Arms: also wings and fins.
constexpr std::size_t kNumParts = 5;
constexpr std::size_t kNumOwnParts = 4;  // All but kAll: every joint has exactly one of them.

struct BodyParts {
  // Longest chain of bones between two ends of the skeleton, in the motion's unit: hand to foot of a person, the whole
  // of a snake. It depends neither on the pose nor on the number of joints.
  float length = 0;
  // [joints] Fraction of all bone length that ends in this joint, so that ten finger joints count no more than a shin.
  // The sum is 1.
  std::vector<float> weights;
  std::vector<Part> part_of;              // [joints]
  std::array<float, kNumParts> shares{};  // Sum of weights; kAll has 1.
  std::vector<int> supports;              // Joints that may be on the ground: of feet, else all.
  bool has_feet = false;
  std::vector<std::pair<int, int>> legs, arms;  // Tips of limbs, left and right.
  // Tips whose timing belongs together: of an arm and a leg, and of a leg and the next row's, on the same side and on
  // opposite sides.
  std::vector<std::pair<int, int>> arm_leg_same, arm_leg_cross, row_same, row_cross;
  std::vector<std::pair<int, int>> chain;        // Joints of trunk and tail with the second joint above them.
  int axis_from = kNoJoint, axis_to = kNoJoint;  // Of the trunk: hips and head. kNoJoint: unknown.
};

// Lengths are those of the analysis' reference pose. Bones above the hips (a marker on the ground) do not count. length
// is 0 for a body without bones.
BodyParts find_body_parts(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

}  // namespace zoe::eval
