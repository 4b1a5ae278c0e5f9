// SPDX-License-Identifier: MIT
// Part of Zoetrope. Poses of drawn bodies as a painter network sees them: 15 points of a picture with their depth.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace zoe::paint {

enum Joint : std::size_t {
  kHips,
  kNeck,
  kHead,  // The middle of the head.
  kRightShoulder,
  kRightElbow,
  kRightHand,
  kLeftShoulder,
  kLeftElbow,
  kLeftHand,
  kRightHip,
  kRightKnee,
  kRightFoot,
  kLeftHip,
  kLeftKnee,
  kLeftFoot,
};
constexpr std::size_t kNumJoints = 15;

struct PosePoint {
  float x = 0, y = 0;  // Fractions of the canvas, from its top left corner.
  float depth = 0;     // Heights of the body towards the viewer, from the trunk.
  float known = 0;     // 1 where the body has such a joint.
};

struct Pose {
  std::array<PosePoint, kNumJoints> points{};
  float facing_cos = 0, facing_sin = 0;  // Of the yaw from the viewer; both 0: unknown.
};

// A pose as numbers: x, y, depth, known of each point, then the facing.
constexpr std::size_t kPoseSize = 4 * kNumJoints + 2;
void write_pose(const Pose& pose, std::span<float, kPoseSize> out);
Pose read_pose(std::span<const float, kPoseSize> numbers);

// Rigid pieces of a body. Each carries the whole reference picture along with its bone; the network decides which
// carried picture a pixel displays.
struct Layer {
  Joint from, to;
};
constexpr std::size_t kNumLayers = 10;
constexpr std::array<Layer, kNumLayers> kLayers{{{kHips, kNeck},
                                                 {kNeck, kHead},
                                                 {kRightShoulder, kRightElbow},
                                                 {kRightElbow, kRightHand},
                                                 {kLeftShoulder, kLeftElbow},
                                                 {kLeftElbow, kLeftHand},
                                                 {kRightHip, kRightKnee},
                                                 {kRightKnee, kRightFoot},
                                                 {kLeftHip, kLeftKnee},
                                                 {kLeftKnee, kLeftFoot}}};

// The bone of a layer in a pose, fractions of the canvas.
struct Bone {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // From, to.
  float depth0 = 0, depth1 = 0;
  bool known = false;
};
// The trunk of bodies without hips hangs straight down from the neck.
std::array<Bone, kNumLayers> bones_of(const Pose& pose);

// Where a point of the target picture was in the reference, by one bone: x_r = xx x + xy y + x0, and so on. Lengths
// across the bone stay, lengths along it change with the bone.
struct BoneWarp {
  float xx = 1, xy = 0, yx = 0, yy = 1, x0 = 0, y0 = 0;
};
BoneWarp warp_between(const Bone& target, const Bone& reference, bool upwards);

// How far along a bone its nearest point to (x, y) is, 0 to 1.
float fraction_along(const Bone& bone, float x, float y);
// Distance of a point to a bone.
float distance_to(const Bone& bone, float x, float y);
// Depth of the bone at the point of it that is nearest.
float depth_near(const Bone& bone, float x, float y);

// Numbers that the trainer shares.
constexpr float kBoneBias = 0.02F;     // Added to bones towards their usual direction: short ones have no direction.
constexpr float kLengthFloor = 0.01F;  // Added to lengths of bones before they are compared.
constexpr float kLeastStretch = 0.6F, kMostStretch = 1.67F;
constexpr float kHeatRange = 0.06F;    // Distance at which the heat of a target bone is 1 / e.
constexpr float kOwnerRange = 0.04F;   // The same for pixels of the reference, beyond the nearest bone.
constexpr float kTrunkLength = 0.25F;  // Of bodies without hips.

}  // namespace zoe::paint
