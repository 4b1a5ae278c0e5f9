// SPDX-License-Identifier: MIT
// Part of Zoetrope. Switches to another animation at once, without a jump in pose or velocity: inertialisation (Bollo,
// GDC 2018) and dead blending (Holden, 2023). Both need the old animation only at the moment of the switch. An object's
// memory is sized once by its constructor; start() and apply() allocate nothing. Scales are not changed.
#pragma once

#include <span>
#include <vector>

#include "zoe/core/state_archive.h"
#include "zoe/motion/motion.h"

namespace zoe {

// Inputs of a switch. Poses of one skeleton, parent-relative.
struct TransitionStart {
  PoseView shown;          // The present output, earlier transitions included.
  PoseView shown_before;   // The output dt_s ago.
  PoseView target;         // The new animation now.
  PoseView target_before;  // The new animation dt_s ago. Empty: it is taken as still (as in Bollo).
  float dt_s = 0;          // > 0.
};

// Decay of one number from x0 with speed v0 (per second) to rest at zero: a quintic with zero speed and acceleration at
// its end, which comes before duration_s where the value would overshoot otherwise. x0 >= 0.
class QuinticDecay {
 public:
  QuinticDecay() = default;
  QuinticDecay(float x0, float v0, float duration_s);
  float at(float time_s) const;  // time_s >= 0.
  float end_s() const { return end_s_; }

 private:
  float c_[6] = {};  // Coefficients of the powers 0 to 5 of time.
  float end_s_ = 0;
};

// Decays the difference between the output and the target, along its direction (translations) or about its axis
// (rotations). Velocity across that direction is dropped. Exact at its end. Needs reliable velocities.
class Inertialization {
 public:
  explicit Inertialization(int num_joints) : offsets_(static_cast<std::size_t>(num_joints)) {}

  // duration_s > 0: after it nothing is left of the difference.
  void start(const TransitionStart& transition, float duration_s);
  // Advances by dt_s >= 0 and converts the target's pose into the output, in place. Spans are [joints].
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

// Extrapolates the output by its own fading velocity, and cross-fades from there to the target. The result is always
// between those two, so wrong velocities and very different poses do little harm.
class DeadBlend {
 public:
  explicit DeadBlend(int num_joints) : joints_(static_cast<std::size_t>(num_joints)) {}

  // half_life_s > 0: time in which the extrapolated velocity halves. target_before is not used.
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
    // Last rotation from the extrapolated to the target rotation: keeps one direction of turning.
    Quat to_target;
  };
  std::vector<Joint> joints_;
  float time_s_ = 0, duration_s_ = 0, half_life_s_ = 0;
};

}  // namespace zoe
