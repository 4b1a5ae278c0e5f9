// SPDX-License-Identifier: MIT
// Part of Zoetrope. A leg of any number of bones that reaches for a position in its own way: it swings from its upper
// end and folds or straightens all its joints together, from the way it stands in the reference pose.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "retarget/body.h"

namespace zoe::retarget_detail {

class FlexLeg {
 public:
  static constexpr std::size_t kMostJoints = 16;
  // joints: from the upper end to the foot, 2 to kMostJoints. is_hind: knees of straight legs bend forwards, else
  // backwards.
  FlexLeg(const RetargetBody& body, const std::vector<int>& joints, bool is_hind);

  // Poses one frame: rotations [joints of the skeleton], local. `top`: where the upper end is, model space. Beyond its
  // reach the leg points to the goal. The foot has the rotation `foot` in the model. Without it: its reference
  // orientation, turned about `up` as what carries the leg is, and with `follow` (0 to 1) as its last bone is.
  void reach(std::span<Quat> rotations, Vec3 top, Vec3 goal, const std::optional<Quat>& foot, float follow) const;

  float length() const { return length_; }
  float shortest() const { return shortest_; }  // Folded as far as it goes.

 private:
  Quat carrier_change(std::span<const Quat> rotations) const;
  // Offset from the upper end to the foot in the reference frame, folded by `fold`: -1 straight, 0 as it stands, 1
  // folded. turns: [joints], of each joint's bone.
  Vec3 fold_to(float fold, std::span<Quat> turns) const;

  const RetargetBody& body_;
  std::vector<int> joints_;
  std::vector<Vec3> bones_;   // [joints - 1] in the reference pose, model space.
  std::vector<Vec3> axes_;    // [joints] of the bend at each, model space; zero at both ends and at short bones.
  std::vector<float> bends_;  // [joints] radians in the reference pose.
  float length_ = 0, shortest_ = 0;
};

}  // namespace zoe::retarget_detail
