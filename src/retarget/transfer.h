// SPDX-License-Identifier: MIT
// Part of Zoetrope. Copies rotations and the position of the body from one skeleton to another, frame by frame.
#pragma once

#include "retarget/body.h"

namespace zoe::retarget_detail {

class Transfer {
 public:
  // All arguments must outlive it.
  Transfer(const BodyMatch& match, const RetargetBody& source, const RetargetBody& target,
           const Pose& target_reference);

  // Matched joints turn as their counterparts do. Joints of the spine between them share the rotations. All others keep
  // the reference pose on their parents. Root and hips go to the source's positions, scaled. `placed` is the target's
  // pose.
  // ease: 0 to 1, how much the body is brought back to its reference pose for its skin. On all fours trunk, neck and
  // tail, and the hips to their height; the hips' heading stays. Upright, trunk and head, relative to the hips; arms
  // by a share of their own.
  void run(const anatomy::ModelPose& source, Motion& out, int frame, anatomy::ModelPose& placed, float ease = 0,
           float ease_of_arms = 0);

  float scale() const { return scale_; }
  Quat target_from_source() const { return turn_; }  // From upright to upright. The heading stays.

 private:
  void calibrate();
  void pose_joints(const anatomy::ModelPose& source, Quat tilt, Motion& out, std::size_t first,
                   anatomy::ModelPose& placed);
  Quat shoulder_tilt(const anatomy::ModelPose& source, const anatomy::ModelPose& placed) const;
  Vec3 place(Vec3 p) const;

  const BodyMatch& match_;
  const RetargetBody& source_;
  const RetargetBody& target_;
  const Pose& reference_;
  Quat turn_;
  float scale_, height_ratio_, ease_ = 0;
  float ease_of_arms_ = 0;
  std::vector<Quat> offsets_;    // [matches] source rotation to target rotation, multiplied from the right.
  std::vector<int> match_of_;    // [target joints], or -1.
  std::vector<int> between_of_;  // [target joints], or -1.
  std::vector<char> carried_;    // [target joints] between the joint that travels and the hips, with the hips.
  std::vector<char> is_limb_;    // [target joints] 1: of a leg or below one; 2: of another limb.
  std::vector<char> tilts_;      // [target joints] joints of the back after the hips up to the front legs.
  int travel_ = kNoJoint;        // RetargetBody::travel of the target.
  int tilt_joint_ = kNoJoint;    // First of them; the hips where these carry the front legs.
  int front_row_ = 0;
  std::vector<Affine> model_;  // [target joints] of the present frame.
};

}  // namespace zoe::retarget_detail
