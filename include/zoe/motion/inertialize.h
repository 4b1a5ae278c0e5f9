// SPDX-License-Identifier: MIT
// Part of Zoetrope. Switching to another animation at once, without a jump in pose or velocity: inertialisation (Bollo,
// GDC 2018) and dead blending (Holden, 2023). Both need the old animation only at the moment of the switch.
//
// An object's memory is sized once by its constructor; start() and apply() allocate nothing. Scales are not touched.
#pragma once

#include <span>
#include <vector>

#include "zoe/core/state_archive.h"
#include "zoe/motion/motion.h"

namespace zoe {

// What is known at a switch. Poses of one skeleton, parent-relative.
struct TransitionStart {
  PoseView shown;          // As on screen now, earlier transitions included.
  PoseView shown_before;   // As on screen dt_s ago.
  PoseView target;         // The new animation now.
  PoseView target_before;  // The new animation dt_s ago; empty: it is taken to stand still (as Bollo does).
  float dt_s = 0;          // > 0.
};

// The way of one number from x0 with speed v0 (a second) to rest at zero: a quintic with zero speed and acceleration at
// its end, which comes before duration_s where the value would overshoot otherwise. x0 >= 0.
class QuinticDecay {
 public:
  QuinticDecay() = default;
  QuinticDecay(float x0, float v0, float duration_s);
  float at(float time_s) const;  // time_s >= 0.
  float end_s() const { return end_s_; }

 private:
  float c_[6] = {};  // Of powers 0 to 5 of time.
  float end_s_ = 0;
};

// Decays the difference between what was shown and the target, along its direction (translations) or about its axis
// (rotations); velocity across that direction is dropped. Exact where it ends; needs trustworthy velocities.
class Inertialization {
 public:
  explicit Inertialization(int num_joints) : offsets_(static_cast<std::size_t>(num_joints)) {}

  // duration_s > 0: after it nothing is left of the difference.
  void start(const TransitionStart& transition, float duration_s);
  // Advances by dt_s >= 0 and turns the target's pose into the one to show, in place. Spans are [joints].
  void apply(float dt_s, std::span<Vec3> translations, std::span<Quat> rotations);
  bool active() const { return time_s_ < duration_s_; }
  void describe(StateArchive& archive);

 private:
  struct Offset {
    Vec3 direction, axis;  // Unit.
    QuinticDecay distance, angle;
  };
  std::vector<Offset> offsets_;
  float time_s_ = 0, duration_s_ = 0;
};

// Lets the shown pose go on by its own velocity, which fades, and cross-fades from there to the target. What it shows
// is always between those two, so it forgives wrong velocities and very different poses.
class DeadBlend {
 public:
  explicit DeadBlend(int num_joints) : joints_(static_cast<std::size_t>(num_joints)) {}

  // half_life_s > 0: in which the extrapolated velocity halves. target_before is not used.
  void start(const TransitionStart& transition, float duration_s, float half_life_s = 0.25F);
  // As Inertialization::apply.
  void apply(float dt_s, std::span<Vec3> translations, std::span<Quat> rotations);
  bool active() const { return time_s_ < duration_s_; }
  void describe(StateArchive& archive);

 private:
  struct Joint {
    Vec3 translation, velocity;  // m, m/s
    Quat rotation;
    Vec3 angular_velocity;  // rad/s, parent's axes.
    Quat to_target;         // Last turn from the extrapolated to the target rotation: keeps to one way round.
  };
  std::vector<Joint> joints_;
  float time_s_ = 0, duration_s_ = 0, half_life_s_ = 0;
};

}  // namespace zoe
