// SPDX-License-Identifier: MIT
// Part of Zoetrope. What of a body besides its feet meets the ground: hands that carry it in
// cartwheels and crawling, and the trunk, which lies on it but does not sink in.
#pragma once

#include "retarget/extents.h"
#include "retarget/goals.h"

namespace zoe::retarget_detail {

// Joints of one of two bodies.
struct GroundParts {
  std::vector<int> trunk;               // Hips, back, neck and head, and what hangs on the head.
  std::vector<std::vector<int>> hands;  // [arms] in the order of BodyMatch::arms, with their fingers.

  GroundParts(const RetargetBody& body, const BodyMatch& match, End end);
};

// [frames] of one body, heights along `up` in the model.
struct GroundTrack {
  std::vector<float> trunk;               // Of its lowest point.
  std::vector<float> flesh;               // How far below the trunk's lowest joint that is.
  std::vector<std::vector<float>> hands;  // [arms] of the hand's lowest point.
  void add(const anatomy::ModelPose& pose, const GroundParts& parts, const Extents& extents, Vec3 up);
};

// 1 for arms that hang well above the ground as the body stands, 0 for those that reach it: then a
// hand down there says nothing.
float hands_tell(const RetargetBody& body, const std::vector<int>& arm);

// Height of a hand's lowest joint above the ground, leg lengths: from where on it touches, and from
// where on the ground does not concern it. Joints of a hand that lies flat are 3 to 8 cm up.
constexpr float kHandTouches = 0.1F, kHandIsClear = 0.25F;

// 1 for a hand that touches the ground, 0 for one that is clear of it.
float hand_touch(float height_in_legs);

// 1 for one that may not sink in, 0 for one so high that long arms alone bring it down there.
float hand_is_near(float height_in_legs);

// How high a hand's lowest point shall be above the target's ground, target's unit, where the
// source's lowest joint is this high above its own; ratio: of the legs' lengths.
float hand_height(float source_height, float source_leg, float ratio);

// One hand over a clip: heights in the model of the target's hand joint.
struct HandGround {
  std::vector<float> touch;   // [frames] hand_touch().
  std::vector<float> near;    // [frames] hand_is_near().
  std::vector<float> wanted;  // [frames] where the hand is as high above the ground as the source's.
  std::vector<float> least;   // [frames] where its lowest point is on the ground.
};

// `goals`: [frames] of the hand, seen from the shoulder. Where it touches, it is as high above the
// ground as the source's, and stays in place while that does; near the ground it is not below it.
void ground_hand(const ClipPair& clips, const LimbMatch& arm, const HandGround& ground, std::vector<Vec3>& goals);

}  // namespace zoe::retarget_detail
