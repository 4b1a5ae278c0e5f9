// SPDX-License-Identifier: MIT
// Part of Zoetrope. Poses of identities as the angles of an animator: how far an arm is swung forwards, an elbow bent.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "zoe/motion/motion.h"
#include "zoe/sprite/identity/identity.h"

namespace zoe::sprite::identity {

// Degrees, but for the root's offsets, which are leg lengths. Right and left limbs are mirror images.
enum Angle : std::uint8_t {
  kRootX,
  kRootUp,
  kRootZ,  // kRootUp: above the ground; the lowest foot stands on it at 0.
  kYaw,
  kLean,
  kTip,  // Of the whole body at the hips: turn left, forwards, to the left.
  kTwist,
  kBend,
  kSideways,  // Of the spine.
  kTurn,
  kNod,
  kTilt,  // Of the head.
  kRSwing,
  kROut,
  kRAcross,
  kRRoll,
  kRElbow,
  kRWrist,
  kLSwing,
  kLOut,
  kLAcross,
  kLRoll,
  kLElbow,
  kLWrist,
  kRThigh,
  kRSpread,
  kRKnee,
  kRFoot,
  kLThigh,
  kLSpread,
  kLKnee,
  kLFoot,
  kNumAngles
};
using Angles = std::array<float, kNumAngles>;

// One drawing of an action: its moment, and the angles that differ from the stance.
struct Key {
  float time_s;
  std::vector<std::pair<Angle, float>> angles;
};

struct Action {
  std::string_view word;
  bool loop;
  bool half_cycle;  // The keys are of one step: the other step is their mirror image.
  std::vector<Key> keys;
};
const std::vector<Action>& locomotion_actions();
const std::vector<Action>& combat_actions();
const std::vector<Action>& reaction_actions();
const std::vector<Action>& gesture_actions();

// The angles of an action at a moment, smooth through its keys.
Angles angles_at(const Action& action, double time_s);
double length_s(const Action& action);

// Local rotations and root of one frame. The lowest foot is on the ground, but for kRootUp.
void set_pose(const Identity& identity, const Angles& angles, double time_s, std::span<Vec3> translations,
              std::span<Quat> rotations);

}  // namespace zoe::sprite::identity
