// SPDX-License-Identifier: MIT
// Part of Zoetrope. Foot locking: holds ankle and ball in place while they are in contact, also on uneven ground,
// lowers the hips where a leg would not reach, and keeps every foot above the ground.
#pragma once

#include <vector>

#include "zoe/ground/placed_ground.h"
#include "zoe/ik/ik_pose.h"
#include "zoe/ik/leg.h"

namespace zoe {

// State of a leg between frames. World space.
struct FootPointState {
  // Locked position, at the contact height of the joint. With FootLockJob::soft_s, while it is given back: the offset
  // from the pose at which it was let go.
  Vec3 locked;
  Vec3 output;         // Output of the last frame.
  float blend = 0;     // 0: follows the pose, 1: held; changes linearly over the blend time.
  bool holds = false;  // In contact, and not released.
  bool torn = false;   // Released because it was pulled too far: waits for the contact to end.
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
  const Ground* ground = nullptr;         // World space. Null: flat at zero, or `placed`.
  // A ground whose own space moves, such as a model's plane that follows hills; instead of `ground`. Locks keep their
  // height above it, not their height.
  const PlacedGround* placed = nullptr;
  Quat world_from_model_rotation;  // Placement of the character.
  Vec3 world_from_model_translation;
  float dt_s = 1.0F / 60;
  float blend_in_s = 0.05F;   // Blend time from the pose to the lock.
  float blend_out_s = 0.15F;  // Blend time from the lock to the pose.
  // Above 0: points approach their locks with this half-life, and those that are given back fade out their offset from
  // the pose instead of leaving late and catching up with it. Less jerk, and no more sliding.
  float soft_s = 0;
  float tear_m = 0.25F;      // A lock farther than this from the pose is released until the contact ends.
  float max_reach = 0.995F;  // Fraction of a leg's length beyond which the hips are lowered instead.
  float max_hip_drop_m = 0.3F;
  float soften = 1;               // As TwoBoneIkSettings: knees that straighten do not snap.
  float hip_half_life_s = 0.05F;  // Half-life of the hips' approach to their target height; 0: at once.
  IkPose pose;                    // In and out: leg rotations, and the translation of joint 0.
  FootLockState* state = nullptr;

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

}  // namespace zoe
