// SPDX-License-Identifier: MIT
#include "control/release_step.h"

#include <algorithm>

#include "zoe/ik/two_bone_ik_job.h"
#include "zoe/math/portable.h"

#include "control/stand_feet.h"

namespace zoe::control {
namespace {

constexpr float kHighest_m = 0.08F;

Quat model_rotation(const Skeleton& skeleton, const Pose& pose, int joint) noexcept {
  Quat rotation = pose.rotations[static_cast<std::size_t>(joint)];
  for (int j = skeleton.parent(joint); j != kNoJoint; j = skeleton.parent(j))
    rotation = pose.rotations[static_cast<std::size_t>(j)] * rotation;
  return rotation;
}

}  // namespace

ReleaseStep::ReleaseStep(const Body& body, const Pose& pose) noexcept {
  for (std::size_t l = 0; l < std::min(body.legs.size(), kMaxLegs); ++l)
    ankles_[l] = joint_position(*body.skeleton, pose, body.legs[l].leg.ankle);
}

void ReleaseStep::lift(const Body& body, const FootLockState& feet, float share, bool soft, Pose& pose) const noexcept {
  for (std::size_t l = 0; l < std::min(body.legs.size(), kMaxLegs); ++l) {
    const FootPointState &ankle = feet.feet[l].ankle, &ball = feet.feet[l].ball;
    if (ankle.holds || ball.holds || ankle.blend <= 0 || ankle.blend >= 1) continue;
    const Vec3 away = soft ? ankle.locked : ankles_[l] - ankle.locked;
    const float far_m = portable_hypot(away.x, away.z);
    const float up = ankle.blend * (1 - ankle.blend);
    const float lift_m = std::min(share * far_m, kHighest_m) * 16 * up * up;
    if (lift_m < 1e-4F) continue;
    const Leg& leg = body.legs[l].leg;
    const Quat foot = model_rotation(*body.skeleton, pose, leg.ankle);
    TwoBoneIkJob{.skeleton = body.skeleton.get(),
                 .settings = {.start_joint = leg.hip,
                              .mid_joint = leg.knee,
                              .end_joint = leg.ankle,
                              .mid_axis = leg.knee_axis,
                              .soften = 0.99F},
                 .target_model = joint_position(*body.skeleton, pose, leg.ankle) + Vec3{0, lift_m, 0},
                 .pole_model = {},
                 .pose = ik_pose(pose)}
        .run();
    // The whole foot rises: turned by the shank, its toes would stay on the ground.
    const Quat shank = model_rotation(*body.skeleton, pose, body.skeleton->parent(leg.ankle));
    pose.rotations[static_cast<std::size_t>(leg.ankle)] = normalized(conjugate(shank) * foot);
  }
}

}  // namespace zoe::control
