// SPDX-License-Identifier: MIT
// Part of Zoetrope. Feet of a character that stands: planted feet stay, others step to their places one after another.
#pragma once

#include <span>
#include <vector>

#include "zoe/control/character_frame.h"
#include "zoe/core/state_archive.h"
#include "zoe/ik/foot_lock_job.h"

namespace zoe::control {

// The body that stands, and the time of a step of its model. Model space.
struct StandBody {
  const Skeleton& skeleton;
  std::span<const Leg> legs;
  std::span<const int> contact_joints;
  float leg_length_m = 1;
  float dt_s = 1.0F / 60;
};

// Position of a joint, in the space of the pose.
Vec3 joint_position(const Skeleton& skeleton, const Pose& pose, int joint) noexcept;
// Moves a pose into the space whose origin is `root`, and back.
void to_root_space(const Skeleton& skeleton, const PlanarRoot& root, Pose& pose) noexcept;
void from_root_space(const Skeleton& skeleton, const PlanarRoot& root, Pose& pose) noexcept;
Vec3 seen_from(const PlanarRoot& root, Vec3 point) noexcept;

class StandFeet {
 public:
  // `pose`: the standing pose in the root's space. Its feet are the places.
  StandFeet(const StandBody& body, const Pose& pose);

  void clear() noexcept;
  // All feet at their places around `root`.
  void place(const PlanarRoot& root) noexcept;
  // As they are in the last two frames. Feet that are not flat on the ground begin a step.
  void take(const StandBody& body, const CharacterFrame& latest, const CharacterFrame& earlier) noexcept;
  // From the places around `root` to the planted feet, in the plane; the mean.
  Vec3 planted_offset(const PlanarRoot& root) const noexcept;
  // Moves steps on, and begins those that are needed for standing at `root`. True when no foot moves.
  bool advance(const StandBody& body, const PlanarRoot& root) noexcept;
  // Bends the legs of `now` to the feet, and sets its contacts.
  void apply(const StandBody& body, CharacterFrame& now) noexcept;
  // Feet are let go: each stays until its contact in `now` ends, then steps to where `now` has it. Feet that slide in
  // `now` step as well. True when all feet are as in `now`.
  void begin_release() noexcept;
  bool release(const StandBody& body, CharacterFrame& now) noexcept;
  // The space's origin moves to `root`.
  void move_space(const PlanarRoot& root) noexcept;
  void describe(StateArchive& archive);

 private:
  struct Point {
    Vec3 now, from, velocity_mps;
  };
  struct Foot {
    Point ankle, ball;
    float step = 1;    // Progress of a step, 0 to 1. 1: planted.
    float lift_m = 0;  // Height of the step's arc.
    float free = 0;    // Progress of being let go, 0 to 1. 1: as in the model's pose.
  };
  struct Place {
    Vec3 ankle, ball;  // Root space.
    bool has_ball = false;
    float ankle_m = 0, ball_m = 0;  // Contact heights.
  };
  void begin_step(const StandBody& body, std::size_t leg, Vec3 target, bool in_the_air) noexcept;
  void move_step(const StandBody& body, std::size_t leg, const PlanarRoot& root) noexcept;
  // From where it was displayed to a new place.
  bool slides(const StandBody& body, std::size_t leg, Vec3 ankle, Vec3 ball) const noexcept;
  void bend_legs(const StandBody& body, CharacterFrame& now) noexcept;
  bool is_off(const StandBody& body, std::size_t leg, const PlanarRoot& root, float& off_m) const noexcept;

  std::vector<Foot> feet_;  // [legs]
  std::vector<Place> places_;
  FootLockState lock_;
  std::vector<float> held_;  // [legs] Ones: the contacts of feet that are told where to be.
};

}  // namespace zoe::control
