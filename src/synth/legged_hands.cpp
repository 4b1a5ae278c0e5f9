// SPDX-License-Identifier: MIT
// Part of Zoetrope. Hands of a person on what its task holds.
#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/ik/two_bone_ik_job.h"

#include "synth/body_sizes.h"
#include "synth/legged.h"

namespace zoe::synth {

void LeggedAnimator::pose_hands(const TaskPose& task) {
  for (const Arm& arm : body_.arms) {
    const TaskPose::Hand& hand = task.hands[arm.side == Side::kLeft ? 0 : 1];
    if (hand.weight > 0) reach(arm, hand);
  }
  rig_.update();
}

void LeggedAnimator::reach(const Arm& arm, const TaskPose::Hand& hand) {
  const Quat upper = rig_.pose().rotations[idx(arm.upper)], lower = rig_.pose().rotations[idx(arm.lower)],
             wrist = rig_.pose().rotations[idx(arm.hand)];
  const Vec3 palm = palm_of(body_, arm);
  const float s = arm.side == Side::kLeft ? 1.0F : -1.0F;
  // Elbows hang, a little out and back.
  const Vec3 pole = rotate(rig_.rotation(body_.chest), Vec3{0.55F * s, -1, -0.5F});
  rig_.set(arm.hand, Quat{});
  rig_.set(arm.upper, Quat{});
  rig_.set(arm.lower, Quat{});
  rig_.update(arm.clavicle);
  // The palm is before the wrist: where it gets to depends on the forearm's direction.
  Vec3 target = hand.palm - rotate(rig_.rotation(arm.hand), palm);
  for (int round = 0; round < 12; ++round) {
    TwoBoneIkJob job;
    job.skeleton = body_.skeleton.get();
    job.settings = {.start_joint = arm.upper,
                    .mid_joint = arm.lower,
                    .end_joint = arm.hand,
                    .mid_axis = normalized(cross(arm.direction, Vec3{0, 0, 1}))};
    job.target_model = target;
    job.pole_model = pole;
    job.pose = ik_pose(rig_.pose());
    ZOE_CHECK(job.run(), job.validate());
    rig_.clamp(arm.upper);
    rig_.clamp(arm.lower);
    rig_.update(arm.clavicle);
    const Vec3 error = hand.palm - (rig_.position(arm.hand) + rotate(rig_.rotation(arm.hand), palm));
    if (length(error) < 1e-4F) break;
    target += error;
  }
  if (hand.weight >= 1) return;
  // The blend is between rotations: paths of hands are arcs.
  const auto blend = [&](int joint, Quat usual) {
    Quat& now = rig_.pose().rotations[idx(joint)];
    now = slerp(usual, nearest_to(usual, now), hand.weight);
    rig_.clamp(joint);
  };
  blend(arm.upper, upper);
  blend(arm.lower, lower);
  blend(arm.hand, wrist);
  rig_.update(arm.clavicle);
}

}  // namespace zoe::synth
