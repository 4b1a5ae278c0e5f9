// SPDX-License-Identifier: MIT
// Part of Zoetrope. Feet that stay where they stand: locks ankle and ball to the ground while they are in contact, on
// uneven ground, lowers the hips where a leg would not reach, and keeps every foot out of the ground.
#pragma once

#include <vector>

#include "zoe/ground/ground.h"
#include "zoe/ik/ik_pose.h"

namespace zoe {

struct Leg {
  int hip = kNoJoint, knee = kNoJoint, ankle = kNoJoint;  // Each below the one before.
  int ball = kNoJoint;                                    // Child of the ankle, or kNoJoint.
  Vec3 knee_axis{1, 0, 0};                                // Unit, in the knee's frame: see TwoBoneIkSettings::mid_axis.
  float ankle_height_m = 0.08F;  // Of the ankle joint above the ground when the foot stands flat.
  float ball_height_m = 0.02F;   // The same for the ball.
};

// What a leg remembers from frame to frame. World space.
struct FootPointState {
  Vec3 locked;         // Where the point is held, at the height that it has when standing.
  Vec3 output;         // Where the last frame left it.
  float blend = 0;     // 0: follows the pose, 1: held; changes linearly over the blend time.
  bool holds = false;  // In contact, and not torn away.
  bool torn = false;   // Was pulled away too far: waits for the contact to end.
};
struct FootLockState {
  struct Foot {
    FootPointState ankle, ball;
  };
  std::vector<Foot> feet;  // [legs]
  float hip_drop_m = 0;
  bool started = false;
};
FootLockState make_foot_lock_state(std::size_t num_legs);

struct FootLockJob {
  const Skeleton* skeleton = nullptr;
  std::span<const Leg> legs;
  std::span<const float> ankle_contacts;  // [legs] 0..1; held from one half on.
  std::span<const float> ball_contacts;   // [legs]
  const Ground* ground = nullptr;         // World space. Null: flat at zero.
  Quat world_from_model_rotation;         // Where the character stands.
  Vec3 world_from_model_translation;
  float dt_s = 1.0F / 60;
  float blend_in_s = 0.05F;   // From the pose to the lock.
  float blend_out_s = 0.15F;  // And back.
  float tear_m = 0.25F;       // A lock farther than this from the pose lets go until the contact ends.
  float max_reach = 0.995F;   // Share of a leg's length beyond which the hips are lowered instead.
  float max_hip_drop_m = 0.3F;
  float soften = 1;               // As TwoBoneIkSettings: knees that straighten do not snap.
  float hip_half_life_s = 0.05F;  // Of the way to the wanted height of the hips; 0: at once.
  IkPose pose;                    // In and out: leg rotations, and the translation of joint 0.
  FootLockState* state = nullptr;

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // False, and nothing written, when validate() objects.
  bool run() const noexcept;
};

}  // namespace zoe
