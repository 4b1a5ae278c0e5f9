// SPDX-License-Identifier: MIT
// Part of Zoetrope. Room for an arm or a leg among props: the least move of its tip, and the least turn of its knee or
// elbow about the line from hip to ankle or from shoulder to wrist, that bring its capsules out of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "zoe/character/pose.h"
#include "zoe/ground/prop.h"

namespace zoe::control {

// Two bones, and points that move with the tip without turning: fingers, or a foot. All in the props' space.
struct Limb {
  static constexpr std::size_t kMostBeyond = 24;
  Vec3 start, middle, tip;
  std::array<Vec3, kMostBeyond> beyond;  // From the tip.
  std::size_t num_beyond = 0;
  float upper_m = 0, lower_m = 0, beyond_m = 0;  // Radii.

  void add_beyond(Vec3 from_tip) noexcept {
    if (num_beyond < kMostBeyond) beyond[num_beyond++] = from_tip;
  }
};
struct LimbMove {
  Vec3 tip;
  float swivel_rad = 0;  // About the line from the start to the moved tip.
  friend bool operator==(const LimbMove&, const LimbMove&) = default;
};
// The limb after a move. Bones keep their lengths, so a tip that is too far away is not reached.
Limb moved(const Limb& limb, const LimbMove& move) noexcept;

// Props that count. Bits are indices in `props`.
struct LimbObstacles {
  std::span<const Prop> props;
  std::uint32_t skipped = 0, lower_only = 0;  // The second: the upper bone may be inside.
};
// Deepest capsule or point; negative: none touches.
float depth_of_limb(const Limb& limb, const LimbObstacles& obstacles) noexcept;

struct RoomOptions {
  float most_m = 0.2F, most_swivel_rad = 0.9F;
  bool level = true;  // The tip moves across the floor only.
  // What is searched for once the limb is deeper than the first: at most the second.
  float begins_m = 0, touches_m = 0.002F;
};
// Zero where the limb is outside. Of moves that are alike, the one nearer to `before`, which keeps a limb at one side.
// Where none leads out: the one that leads out best. Never allocates.
LimbMove find_room(const Limb& limb, const LimbObstacles& obstacles, const LimbMove& before,
                   const RoomOptions& options) noexcept;

// Moves `now` towards `target`, by at most these amounts.
void approach_move(LimbMove& now, const LimbMove& target, float most_m, float most_rad) noexcept;

// Bends the bones from joint `start` over `mid` to `tip` as the move says. The tip keeps its rotation. `models` are
// those of the pose as it is. mid_axis: as TwoBoneIkSettings.
struct LimbJoints {
  int start = kNoJoint, mid = kNoJoint, tip = kNoJoint;
  Vec3 mid_axis;
  float soften = 0.99F;
};
void bend_limb(const Skeleton& skeleton, const LimbJoints& joints, std::span<const Affine> models, const LimbMove& move,
               Pose& pose) noexcept;

}  // namespace zoe::control
