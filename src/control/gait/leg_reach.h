// SPDX-License-Identifier: MIT
// Part of Zoetrope. A leg of any rig as two rigid pieces (or one), solved from its standing pose alone: no history, so
// nothing winds up, and joints may have scales.
#pragma once

#include <span>

#include "zoe/control/gait.h"

namespace zoe::control {

// A direction and the normal of the plane that a limb bends in, as a rotation of the axes.
Quat limb_frame(Vec3 direction, Vec3 normal) noexcept;

class LegReach {
 public:
  // model: [joints] model_from_joint of the start pose, which is in the root's space.
  LegReach(const Skeleton& skeleton, const GaitLeg& leg, std::span<const Affine> model,
           std::span<const Quat> rotations);

  float length_m() const { return length_m_; }
  bool is_rigid() const { return leg_.knee == kNoJoint; }
  const GaitLeg& leg() const { return leg_; }
  // From the contact point to the joint that the pieces must reach, and to the ball, root axes of the start pose.
  Vec3 end_from_tip() const { return end_from_tip_; }
  Vec3 ball_from_tip() const { return ball_from_tip_; }

  struct Target {
    Vec3 end_m;  // Position of the leg's last joint (of its tip where the leg is one piece), model space.
    Quat foot;   // Rotation of the foot since the start pose, model space.
    Quat toes;   // The same of the ball.
    Quat trunk;  // Rotation of the body, for the pole.
  };
  // Writes local rotations of the leg's joints. hip_m: position of the hip. parent: rotation of the hip's parent.
  void solve(const Skeleton& skeleton, const Target& target, Vec3 hip_m, Quat parent,
             std::span<const JointLimit> limits, std::span<Quat> local) const noexcept;

 private:
  // Angle of the knee since the start pose for a distance of hip and end.
  float knee_angle(float far_m) const noexcept;
  Quat local_of(const Skeleton& skeleton, int joint, Quat parent_now, Quat rotation,
                std::span<const JointLimit> limits) const noexcept;

  GaitLeg leg_;
  // Of the start pose, root axes: hip to knee (to the tip where the leg is one piece), knee to end, axis of the knee.
  Vec3 upper_, lower_, axis_{1, 0, 0};
  // The dot product of the two bones is mean_ + swing_ cos(angle - straight_rad_), over the angle of the knee.
  float mean_ = 0, swing_ = 0, straight_rad_ = 0, bend_sign_ = 1;
  float length_m_ = 0, folded_m_ = 0;  // Longest and shortest distance of hip and end.
  Quat hip_rotation_, knee_rotation_;  // In the start pose.
  Quat knee_parent_;                   // Of the knee's parent in the hip's frame.
  Quat end_parent_, ball_parent_;      // Of their parents in the frame of knee (or hip) and ankle.
  Quat end_rotation_, ball_rotation_;  // In the start pose.
  Vec3 end_from_tip_, ball_from_tip_;
};

}  // namespace zoe::control
