// SPDX-License-Identifier: MIT
// Part of Zoetrope. Standing, for every controller type. A model that is told to stand drifts: it never saw, or never
// quite reproduces, a body at rest. So the model is not run while a character stands: its root is held, its pose
// settles onto a standing pose and breathes, and its feet stay planted. The first desired motion starts the model
// again, at the same place.
#pragma once

#include "zoe/control/intent.h"
#include "zoe/math/spring.h"
#include "zoe/motion/inertialize.h"

#include "control/stand_feet.h"

namespace zoe::control {

// The standing pose of a body: a pose in the root's space with all feet planted on flat ground.
Pose planted(const StandBody& body, Pose pose);

class Stand {
 public:
  // `pose`: as planted() gives it. Allocates; nothing below does.
  Stand(const StandBody& body, Pose pose);

  // What makes the next step.
  enum class Next : std::uint8_t {
    kModel,
    kHold,   // hold()
    kLeave,  // The model, after it was started again at the place of the stand: leave(), then blend_out().
  };
  // `latest` and `earlier` are the last two frames; `earlier` is destroyed. least_mps: slower means standing.
  Next next(const StandBody& body, const Intent& intent, float least_mps, CharacterFrame& latest,
            CharacterFrame& earlier) noexcept;
  // A step of standing.
  void hold(const StandBody& body, CharacterFrame& now) noexcept;
  // The root of `latest` becomes the origin of the model's space. blend_out() follows in the same step.
  void leave(const StandBody& body, CharacterFrame& latest) noexcept;
  // True after leave(), until the model's own frames are displayed as they are.
  bool leaves() const { return phase_ == Phase::kLeaving; }
  // How much of the displayed pose is the stand's, which is of flat ground: 0 to 1.
  float share() const noexcept;
  // Blends a step of the model with the stand that it left.
  void blend_out(const StandBody& body, CharacterFrame& now) noexcept;
  // A step of the model whose first joint, above the hips, stays at the origin: the joint moves to the root. No other
  // joint moves in model space. Else blends in the root's space would swing the body about a joint metres away.
  void carry(CharacterFrame& now) const noexcept;
  // The character was started again.
  void clear() noexcept;
  // As ControllerState::move_space().
  void move_space(const PlanarRoot& offset) noexcept;
  void describe(StateArchive& archive);

 private:
  enum class Phase : std::uint8_t {
    kFresh,  // Started, not stepped yet.
    kModel,
    kHeld,
    kLeaving,
  };
  void begin(const StandBody& body, std::optional<float> facing_rad, const CharacterFrame& latest,
             CharacterFrame& earlier) noexcept;
  void begin_at_once(const StandBody& body, CharacterFrame& latest) noexcept;
  void show(const StandBody& body, CharacterFrame& now) noexcept;

  Pose pose_;  // Root space.
  Pose scratch_;
  int carried_ = kNoJoint;  // The only child of the first joint, or none.
  int chest_ = kNoJoint;    // The joint that breathing turns, about this axis of its parent's.
  Vec3 chest_axis_;
  StandFeet feet_;
  Inertialization blend_;
  Phase phase_ = Phase::kFresh;
  bool turns_ = false;  // The facing is not reached yet, and the model could not turn there.
  float stop_s_ = 0;    // Time since standing is desired.
  float held_s_ = 0;    // Time of the stand, or since it was left; up to a few seconds.
  float breath_turns_ = 0;
  Spring<Vec3> position_;
  Spring<float> facing_rad_;
  PlanarRoot goal_;             // Of the springs.
  float asked_facing_rad_ = 0;  // The desired facing; the goal follows as the feet do.
};

}  // namespace zoe::control
