// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character on uneven ground. Most models move on flat ground: the height of the root, the legs and
// the hips are adapted to the ground after each step, outside of the model's own pose. So no model notices.
#pragma once

#include <span>
#include <vector>

#include "zoe/control/character_frame.h"
#include "zoe/control/ground_plane.h"
#include "zoe/core/state_archive.h"
#include "zoe/ik/foot_placement_job.h"
#include "zoe/math/spring.h"

namespace zoe::control {

// What the ground changes of one moment.
struct GroundedFrame {
  float height_m = 0;           // Of the root, world space.
  float hip_drop = 0;           // Of joint 0. Model space and units.
  bool has_legs = false;        // `rotations` replace those of the pose.
  std::vector<Quat> rotations;  // [legs × (hip, knee, ankle)]
};

// The body that stands on the ground, and where the model's space is in the world.
struct GroundedBody {
  const Skeleton& skeleton;
  std::span<const Leg> legs;
  std::span<const int> leg_joints;  // [legs × (hip, knee, ankle)]
  float leg_length_m = 1;           // Of the model's body.
  const PlanarRoot& world_from_model;
  float scale = 1;
  // Fraction of the pose that is of flat ground: its feet are raised by the ground below them. The rest is of a model
  // that sees the ground: its feet are only kept above it.
  float flat_share = 1;
  bool places_feet = true;
};

struct Grounding {
  explicit Grounding(std::size_t num_legs);

  // After a step from root `before` to the frame `now`, which is unchanged afterwards. dt_s of zero: at once, without
  // smoothing. Never allocates.
  void follow(const Ground* ground, const GroundedBody& body, const PlanarRoot& before, CharacterFrame& now,
              float dt_s) noexcept;
  // The height of the plane after a step, without taking it.
  Spring<float> plane_after(const Ground& ground, const PlanarRoot& world_from_model, float scale, float leg_length_m,
                            const PlanarRoot& before, const PlanarRoot& now, float dt_s) const noexcept;
  // The origin of the model's space moves to `root`.
  void move_space(const PlanarRoot& root) noexcept;
  void describe(StateArchive& archive);

  Spring<float> height_m;  // Of the root, world space.
  FootPlacementState feet;
  GroundedFrame frame_before, frame_now;
  std::int64_t num_steps_without_ground = 0;  // Not in describe(): no later step depends on it.

 private:
  void place_feet(const Ground& ground, const GroundedBody& body, CharacterFrame& now, float dt_s) noexcept;
};

}  // namespace zoe::control
