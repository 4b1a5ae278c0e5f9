// SPDX-License-Identifier: MIT
// Part of Zoetrope. Contacts of a body with the ground besides its feet: hands that carry it in cartwheels and
// crawling, and the trunk, which may touch the ground but not sink in.
#pragma once

#include "retarget/extents.h"
#include "retarget/goals.h"

namespace zoe::retarget_detail {

// Joints of one of the two bodies.
struct GroundParts {
  std::vector<int> trunk;               // Hips, back, neck and head, and everything on the head.
  std::vector<std::vector<int>> hands;  // [arms] in the order of BodyMatch::arms, with their fingers.

  GroundParts(const RetargetBody& body, const BodyMatch& match, End end);
};

// [frames] of one body, heights along `up` in the model.
struct GroundTrack {
  std::vector<float> trunk;               // Height of its lowest point.
  std::vector<float> flesh;               // Its distance below the trunk's lowest joint.
  std::vector<std::vector<float>> hands;  // [arms] Height of the hand's lowest point.
  void add(const anatomy::ModelPose& pose, const GroundParts& parts, const Extents& extents, Vec3 up);
};

// 1 for arms that are well above the ground while the body stands, 0 for arms that reach it: then a low hand has no
// meaning.
float hands_tell(const RetargetBody& body, const std::vector<int>& arm);

// Height of a hand's lowest joint above the ground, leg lengths: below the first it touches, above the second the
// ground is ignored. Joints of a flat hand are 3 to 8 cm up.
constexpr float kHandTouches = 0.1F, kHandIsClear = 0.25F;

// 1 for a hand that touches the ground, 0 for one that is clear of it.
float hand_touch(float height_in_legs);

// 1 for a hand that may not sink in, 0 for one so high that only long arms bring it down.
float hand_is_near(float height_in_legs);

// Target height of a hand's lowest point above the target's ground, target's unit, where the source's lowest joint is
// this high above its own; ratio: of the legs' lengths.
float hand_height(float source_height, float source_leg, float ratio);

// One hand over a clip: heights in the model of the target's hand joint.
struct HandGround {
  std::vector<float> touch;   // [frames] hand_touch().
  std::vector<float> near;    // [frames] hand_is_near().
  std::vector<float> wanted;  // [frames] height at which the hand is as high above the ground as the source's.
  std::vector<float> least;   // [frames] height at which its lowest point is on the ground.
};

// `goals`: [frames] of the hand, relative to the shoulder. In contact it is as high above the ground as the source's,
// and stays in position while the source's does. Near the ground it is not below it.
void ground_hand(const ClipPair& clips, const LimbMatch& arm, const HandGround& ground, std::vector<Vec3>& goals);

}  // namespace zoe::retarget_detail
