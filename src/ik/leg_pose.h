// SPDX-License-Identifier: MIT
// Part of Zoetrope. Steps that all jobs on legs share: where the knee points, how the ankle reaches a target, how far
// the hips must come down.
#pragma once

#include <span>

#include "zoe/ik/ik_pose.h"
#include "zoe/ik/leg.h"

#include "ik/chain.h"
#include "ik/limb_frames.h"

namespace zoe::ik_detail {

inline constexpr std::size_t kMaxLegs = 64;  // Targets of one frame are on the stack.

// In the space in which a job's feet rest: world or model.
struct FootTargets {
  Vec3 ankle, ball;
};

// A leg of a pose. All values are in model space.
struct LegPose {
  const Skeleton* skeleton = nullptr;
  const Leg* leg = nullptr;
  IkPose pose;

  Frame frame(int joint) const { return ancestor_from(*skeleton, pose, kNoJoint, joint); }
  Vec3 position(int joint) const { return frame(joint).position; }
  // Hip, knee and ankle. `above`: the frame of the hip's parent.
  LimbFrames limb(const Frame& above) const {
    return LimbFrames::of(*skeleton, pose, above, leg->hip, leg->knee, leg->ankle);
  }
  LimbFrames limb() const { return limb(frame(skeleton->parent(leg->hip))); }
  // Thigh and shank.
  float length() const;
  // From the ankle to the ball.
  float foot_length() const;
  // Direction of the knee. The plane of a straight leg is noise: such a leg bends about its own axis, half so at a bend
  // whose sine is 0.2.
  Vec3 knee_pole(const LimbFrames& limb) const;
  Vec3 knee_pole() const { return knee_pole(limb()); }
  // Bends the leg until the ankle is at the target, or as near as it gets.
  void reach(const LimbFrames& limb, Vec3 ankle_target, Vec3 knee_pole, float soften) const;
  void reach(Vec3 ankle_target, Vec3 knee_pole, float soften) const { reach(limb(), ankle_target, knee_pole, soften); }
  // Turns the ankle so that the ball comes to lie in the direction of its target.
  void aim_foot(const Frame& ankle, Vec3 ball_target) const;
  void aim_foot(Vec3 ball_target) const { aim_foot(frame(leg->ankle), ball_target); }
  // How far the hips must come down for the ankle to reach its target with at most this fraction of the leg's length.
  float needed_drop(Vec3 hip, Vec3 ankle_target, float max_reach) const;
};

// Reason or nullptr.
const char* check_legs(const Skeleton& skeleton, std::span<const Leg> legs) noexcept;

}  // namespace zoe::ik_detail
