// SPDX-License-Identifier: MIT
// Part of Zoetrope. An actor that a controller moves: the model is shared, the state is the actor's own, and every
// fixed step ticks it once.
//
//   const Entity hero = add_controlled_actor(scene.world(), walker, drive_by(control::follow(path)));
//   scene.advance(1.0 / 60);
#pragma once

#include <memory>

#include "zoe/control/controller.h"
#include "zoe/control/pose_hook.h"
#include "zoe/control/sources.h"
#include "zoe/ecs/world.h"
#include "zoe/scene/actor.h"
#include "zoe/scene/displayed_body.h"
#include "zoe/scene/input.h"

namespace zoe::scene {

// Gives the intent of one actor in each fixed step. Steps read Input and nothing of the frame or the wall clock, so
// that recorded input gives the same states.
class ActorDriver {
 public:
  virtual ~ActorDriver() = default;
  // Before the tick. `state` may be placed or reset here.
  virtual control::Intent next(const control::Controller& controller, control::ControllerState& state,
                               const Input& input, double step_s) = 0;
  // After the tick.
  virtual void ticked(const control::ControllerState& /*state*/, double /*step_s*/) {}
};

// Follows a path, a script or random sticks. A null source stands still.
std::unique_ptr<ActorDriver> drive_by(std::unique_ptr<control::IntentSource> source);

struct ControlledActorOptions {
  PlanarRoot start;  // World space.
  control::Proportions proportions;
  int lane = 0;          // See Controller::make_state().
  float time_scale = 1;  // Of this actor only. The scene's clock has its own.
  DisplayedBody body;    // Default: the controller's bones.
  GroundPtr ground;      // That the actor walks on. Null: flat. To draw it, add it to the world (ground.h).
};

// A component beside Actor. Its pose is in world space: the entity's own transform stays at the origin, and scales a
// character of another unit to metres.
class ControlledActor {
 public:
  // controller, driver: never null.
  ControlledActor(control::ControllerPtr controller, std::unique_ptr<ActorDriver> driver,
                  const ControlledActorOptions& options = {});

  const control::Controller& controller() const { return *controller_; }
  const control::ControllerState& state() const { return *state_; }
  ActorDriver& driver() { return *driver_; }
  const ActorDriver& driver() const { return *driver_; }
  const control::Intent& intent() const { return intent_; }  // Of the last step.

  // A layer over the poses that are displayed; the state stays the controller's. Null: none. The caller keeps it alive.
  void set_hook(control::PoseHook* hook) { hook_ = hook; }

  // 0.5: half as fast; 0 holds the pose. Never below 0.
  void set_time_scale(float scale);
  float time_scale() const { return time_scale_; }
  // A paused actor keeps its pose, and its driver is not called.
  void set_paused(bool paused) { paused_ = paused; }
  bool paused() const { return paused_; }

  // Metres of the displayed body over those of the controller, whose state and intents have the controller's scale.
  float scale() const { return poser_.body().character ? poser_.body().scale() : 1; }
  const DisplayedBody& body() const { return poser_.body(); }
  // As drawn: alpha 0 is the step before, 1 the last one. World space of the displayed body.
  PlanarRoot root_between(float alpha) const;
  Vec3 velocity_mps(double step_s) const;      // Of the drawn root over the last step.
  double tick_us() const { return tick_us_; }  // Wall time of a tick, smoothed: for displays only.

  // One fixed step.
  void step(const Input& input, double step_s, Actor& actor);
  // The present pose of the displayed body. Valid until the next call or step.
  PoseView displayed_pose() { return poser_.run(state_->pose()); }

 private:
  control::ControllerPtr controller_;
  std::unique_ptr<control::ControllerState> state_;
  std::unique_ptr<ActorDriver> driver_;
  BodyPoser poser_;
  control::PoseHook* hook_ = nullptr;
  control::Intent intent_;
  PlanarRoot root_before_;
  float time_scale_ = 1;
  bool paused_ = false;
  double tick_us_ = 0;
};

// An actor in the start pose of the controller.
ecs::Entity add_controlled_actor(ecs::World& world, control::ControllerPtr controller,
                                 std::unique_ptr<ActorDriver> driver, const ControlledActorOptions& options = {});

}  // namespace zoe::scene
