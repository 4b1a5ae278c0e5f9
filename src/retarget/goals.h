// SPDX-License-Identifier: MIT
// Part of Zoetrope. Target positions of the hands and feet of a retargeted motion.
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
  const BodyMatch& match;
  const RetargetBody& source_body;
  const RetargetBody& target_body;
  const ClipPositions& source;
  const ClipPositions& target;
  Quat target_from_source;
  float scale;
  double fps;
};

// [frames] horizontal unit vectors along a foot (from ankle to ball), as it points when it is flat. A foot that is
// upright in the air is ignored. `drop`: height of the ankle above the ball when flat; `near`: distance from it that
// counts as flat.
std::vector<Vec3> foot_headings(std::span<const Vec3> feet, Vec3 up, float drop, float near, double fps);

// Weight of measuring a foot at this height above its contact height (leg lengths) from its hip rather than from the
// ground: high kicks, rolls and cartwheels are. So is a foot without contact while the body is higher than the source's
// by `rise` (leg lengths), because it was raised to keep its head above the ground.
float off_the_ground(float height_in_legs, float rise_in_legs = 0);

// Weight of placing a foot at this height by the part that carries it rather than by its ankle.
float near_the_ground(float height_in_legs);

// [frames] Goals of an ankle. The part of the foot on the ground (ankle, ball or both) follows the source's.
// Horizontally it is measured from the upper end of the leg, and scaled. Vertically it is measured from the contact
// height, or from the hip when the foot is high up. The difference of the upper ends is constant during a contact
// (shift.h), so that a foot slides no more than the source's.
std::vector<Vec3> foot_goals(const ClipPair& clips, std::size_t leg, std::span<const std::uint8_t> stands);

// [frames] of a hand: the source's position relative to the shoulder, in arm lengths. A paw that has become an arm
// stays above `lowest`, height in the model, where given.
std::vector<Vec3> hand_goals(const ClipPair& clips, const LimbMatch& arm, std::optional<float> lowest);

}  // namespace zoe::retarget_detail
