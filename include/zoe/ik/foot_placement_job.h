// SPDX-License-Identifier: MIT
// Part of Zoetrope. Foot placement: moves the feet of a pose that was made for flat ground onto uneven ground. A foot
// keeps its place and its height above the ground, tilts with the slope, and the hips come down where a leg would not
// reach. Locked feet stay locked: only heights change.
#pragma once

#include <vector>

#include "zoe/ground/placed_ground.h"
#include "zoe/ik/foot_lock_job.h"
#include "zoe/math/spring.h"

namespace zoe {

// State of all legs between frames. Model space.
struct FootPlacementState {
  struct Foot {
    Vec3 ankle, ball;                             // As the pose for flat ground had them last.
    Spring<float> ankle_ground_m, ball_ground_m;  // Smoothed heights of the ground below them.
    Vec3 tilt_rad;                                // Smoothed rotation vector from straight up to the ground's normal.
    // A tilted foot is shorter in the plane: by `excess_m`, from ankle to ball. `shift_m` moves its middle.
    Vec3 excess_m, shift_m;
  };
  std::vector<Foot> feet;  // [legs]
  float hip_drop_m = 0;
  bool started = false;  // Without it the next frame takes all values as they are.

  void restart() {
    for (Foot& foot : feet) foot = {};
    hip_drop_m = 0;
    started = false;
  }
};
FootPlacementState make_foot_placement_state(std::size_t num_legs);

// Model space, metres, Y up.
struct FootPlacementJob {
  const Skeleton* skeleton = nullptr;
  std::span<const Leg> legs;
  PlacedGround ground;
  float pose_height_m = 0;  // Height of the flat ground that the pose is displayed on. The pose itself has it at zero.
  // Fraction of the ground's height above the flat ground by which feet are raised. 0: the pose knows the ground, and
  // feet are only kept above it.
  float share = 1;
  float dt_s = 1.0F / 60;
  float ground_half_life_s = 0.05F;  // Half-life of a foot's approach to the ground's height below it.
  float tilt_half_life_s = 0.05F, shift_half_life_s = 0.05F;
  // A swinging foot rises for ground that it will be over within this time. So it does not hit the edge of a step.
  float look_ahead_s = 0.16F;
  float max_pitch_rad = 0.7F, max_roll_rad = 0.35F;  // Along the foot, and across.
  float max_reach = 0.995F;                          // As FootLockJob.
  float max_hip_drop = 0.4F;                         // Fraction of the leg's length.
  float hip_half_life_s = 0.1F;  // Half-life of the hips' rise after they came down. They come down at once.
  IkPose pose;  // In and out: leg rotations, and the height of joint 0. Add pose_height_m to display it.
  FootPlacementState* state = nullptr;

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

}  // namespace zoe
