// SPDX-License-Identifier: MIT
// Part of Zoetrope. Where the hands and feet of a retargeted motion shall be.
#pragma once

#include <optional>

#include "retarget/body.h"

namespace zoe::retarget_detail {

// Joint positions of a whole clip in the model, [frames × joints].
struct ClipPositions {
  std::size_t num_joints = 0;
  std::vector<Vec3> values;
  void add(const anatomy::ModelPose& pose) {
    values.insert(values.end(), pose.positions.begin(), pose.positions.end());
  }
  Vec3 at(std::size_t frame, int joint) const { return values[frame * num_joints + static_cast<std::size_t>(joint)]; }
  std::size_t num_frames() const { return num_joints > 0 ? values.size() / num_joints : 0; }
};

// Two clips of the same frames: the source, and the target after its rotations were transferred.
struct ClipPair {
  const RetargetBody& source_body;
  const RetargetBody& target_body;
  const ClipPositions& source;
  const ClipPositions& target;
  Quat target_from_source;
  float scale;
  double fps;
};

// [frames] level unit vectors along a foot (from ankle to ball), as it points when it is flat: one
// that passes upright in the air says nothing. `drop`: height of the ankle above the ball when
// flat; `near`: how far from it counts as flat.
std::vector<Vec3> foot_headings(std::span<const Vec3> feet, Vec3 up, float drop, float near, double fps);

// How much a foot at this height above where it stands (leg lengths) is seen from its hip rather
// than from the ground: high kicks, rolls and cartwheels are. So is one that does not stand while
// the body is higher up by `rise` (leg lengths) than the source's: lifted, lest its head be in the
// ground.
float off_the_ground(float height_in_legs, float rise_in_legs = 0);

// How much a foot at this height is placed by the part that carries it rather than by its ankle.
float near_the_ground(float height_in_legs);

// [frames] of an ankle. The part of the foot that is down (ankle, ball or both) goes where the
// source's goes: level, seen from the upper end of the leg, scaled; upright, from where it stands,
// or from the hip when it is high up. What the upper ends differ by is kept while the foot stands
// (shift.h), so that a foot slides as the source's does and no more.
std::vector<Vec3> foot_goals(const ClipPair& clips, std::size_t leg, std::span<const std::uint8_t> stands);

// [frames] of a hand: where the source's is seen from the shoulder, in arm lengths. A paw that has
// become an arm stays above `lowest`, height in the model, where given.
std::vector<Vec3> hand_goals(const ClipPair& clips, const LimbMatch& arm, std::optional<float> lowest);

}  // namespace zoe::retarget_detail
