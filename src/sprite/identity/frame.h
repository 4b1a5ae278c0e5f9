// SPDX-License-Identifier: MIT
// Part of Zoetrope. The skeleton of identities and the sizes of their bodies. Rest pose: arms along ±x, all joints with
// the axes of the model.
#pragma once

#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/sprite/identity/traits.h"

namespace zoe::sprite::identity {

// Every identity has all of them, in this order, whether or not its mesh uses them. Left is +x.
enum Joint : int {
  kRoot,
  kHips,
  kSpine,
  kChest,
  kNeck,
  kHead,
  kLeftShoulder,
  kLeftArm,
  kLeftForeArm,
  kLeftHand,
  kLeftSlot,
  kRightShoulder,
  kRightArm,
  kRightForeArm,
  kRightHand,
  kRightSlot,
  kLeftUpLeg,
  kLeftLeg,
  kLeftFoot,
  kLeftToe,
  kRightUpLeg,
  kRightLeg,
  kRightFoot,
  kRightToe,
  kCape1,
  kCape2,
  kCape3,
  kHair1,
  kHair2,
  kTail1,
  kTail2,
  kTail3,
  kLeftEar,
  kRightEar,
  kNumJoints
};

// Metres. Half widths and depths are radii.
struct Frame {
  float height = 1.7F;
  Vec3 head_radii{};  // Half width, half height, half depth.
  float head_y = 0;   // Of its centre.
  float neck_y = 0, shoulder_y = 0, waist_y = 0, hip_y = 0;
  float knee_y = 0, ankle_y = 0;
  float shoulder_x = 0, leg_x = 0;  // Of the joints.
  float chest_x = 0, chest_z = 0;   // Radii of the trunk.
  float waist_x = 0, waist_z = 0, hip_x = 0, hip_z = 0;
  float belly = 0;  // Forwards, beyond the waist.
  float upper_arm = 0, forearm = 0, arm_r = 0, hand_r = 0;
  float leg_r = 0, foot_len = 0, foot_r = 0;
  float shift_y = 0;  // Of all heights: floating bodies.
};

Frame make_frame(const Traits& traits);
SkeletonPtr make_skeleton(const Frame& frame);

}  // namespace zoe::sprite::identity
