// SPDX-License-Identifier: MIT
// Part of Zoetrope. Plays clips on an actor: loop, speed, seek, and switches to another clip without a jump.
#pragma once

#include <memory>
#include <optional>

#include "zoe/core/result.h"
#include "zoe/ecs/world.h"
#include "zoe/motion/inertialize.h"
#include "zoe/motion/sample.h"
#include "zoe/scene/actor.h"

namespace zoe::scene {

class LoopTravel;
using MotionPtr = std::shared_ptr<const Motion>;

struct PlayOptions {
  double start_s = 0;  // From the clip's beginning.
  float speed = 1;     // Clip seconds per second; negative plays backwards.
  Wrap wrap = Wrap::kLoop;
  // With Wrap::kLoop: each cycle continues over the ground at the end of the last one, instead of jumping back.
  bool travel = false;
  // Duration of the transition to the clip (inertialisation); 0: at once, as for the first clip.
  float fade_s = 0.2F;
};

// A component beside Actor. Sized by the first clip; switching between clips of one skeleton allocates nothing.
class MotionPlayer {
 public:
  MotionPlayer();  // Plays nothing: the pose does not change.
  ~MotionPlayer();
  MotionPlayer(MotionPlayer&&) noexcept;
  MotionPlayer& operator=(MotionPlayer&&) noexcept;

  // Fails (kUsage) when the clip is empty or has another skeleton than the actor's; retarget it first. The previous
  // clip then continues.
  Result<void> play(MotionPtr motion, const Skeleton& skeleton, const PlayOptions& options = {});
  void stop() { motion_ = nullptr; }

  const Motion* motion() const { return motion_.get(); }
  double time_s() const { return time_s_; }  // From the clip's beginning. Grows beyond its end in a loop.
  void seek(double time_s) { time_s_ = time_s; }
  float speed() const { return speed_; }
  void set_speed(float speed) { speed_ = speed; }
  void set_paused(bool paused) { paused_ = paused; }
  bool paused() const { return paused_; }
  void set_wrap(Wrap wrap) { wrap_ = wrap; }
  // A clip that does not loop has reached its end (or backwards its start).
  bool finished() const;
  bool fading() const { return transition_ && transition_->active(); }

  // One fixed step: writes the actor's pose and morph weights.
  void step(double step_s, Actor& actor);

 private:
  void sample_at(double time_s, Pose& pose, std::span<float> morph_weights) const;

  MotionPtr motion_;
  double time_s_ = 0;
  float speed_ = 1;
  Wrap wrap_ = Wrap::kLoop;
  bool paused_ = false;
  float fade_s_ = 0;  // > 0: a transition begins with the next step.
  std::optional<Inertialization> transition_;
  Pose target_, target_before_;
  std::unique_ptr<LoopTravel> travel_;  // Created with the first clip.
  bool travels_ = false;
};

// Plays a clip on an actor entity, which gets its MotionPlayer with the first clip. Errors as MotionPlayer::play.
Result<void> play_motion(ecs::World& world, ecs::Entity actor, MotionPtr motion, const PlayOptions& options = {});

}  // namespace zoe::scene
