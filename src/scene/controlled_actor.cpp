// SPDX-License-Identifier: MIT
#include "zoe/scene/controlled_actor.h"

#include <algorithm>
#include <chrono>

#include "zoe/control/trajectory.h"
#include "zoe/scene/scene.h"
#include "zoe/scene/time.h"

#include "scene/systems.h"

namespace zoe::scene {
namespace {

class SourceDriver final : public ActorDriver {
 public:
  explicit SourceDriver(std::unique_ptr<control::IntentSource> source) : source_(std::move(source)) {}
  control::Intent next(const control::Controller&, control::ControllerState& state, const Input&,
                       double step_s) override {
    return source_ ? source_->next(state.root(), step_s) : control::Intent::stand();
  }

 private:
  std::unique_ptr<control::IntentSource> source_;
};

}  // namespace

std::unique_ptr<ActorDriver> drive_by(std::unique_ptr<control::IntentSource> source) {
  return std::make_unique<SourceDriver>(std::move(source));
}

ControlledActor::ControlledActor(control::ControllerPtr controller, std::unique_ptr<ActorDriver> driver,
                                 const ControlledActorOptions& options)
    : controller_(std::move(controller)), driver_(std::move(driver)), poser_(options.body) {
  ZOE_CHECK(controller_ != nullptr && driver_ != nullptr, "a controlled actor needs a controller and a driver");
  state_ = controller_->make_state(
      {.root = options.start, .proportions = options.proportions, .lane = options.lane, .ground = options.ground});
  root_before_ = state_->root();
  set_time_scale(options.time_scale);
}

void ControlledActor::set_time_scale(float scale) { time_scale_ = std::max(scale, 0.0F); }

void ControlledActor::step(const Input& input, double step_s, Actor& actor) {
  using Clock = std::chrono::steady_clock;
  root_before_ = state_->root();
  if (paused_) return;
  const double own_s = step_s * static_cast<double>(time_scale_);
  intent_ = driver_->next(*controller_, *state_, input, own_s);
  if (hook_ != nullptr && hook_->stands()) intent_ = control::Intent::stand();
  const Clock::time_point start = Clock::now();
  controller_->tick(*state_, intent_, own_s);
  const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  tick_us_ += (us - tick_us_) * (tick_us_ == 0 ? 1 : 0.05);
  driver_->ticked(*state_, own_s);
  write_pose(poser_.run(hook_ != nullptr ? hook_->run(state_->pose(), state_->contacts(), own_s) : state_->pose()),
             actor);
  if (hook_ == nullptr) return;
  if (const auto root = hook_->moved_root(state_->root())) controller_->place(*state_, *root);
}

PlanarRoot ControlledActor::root_between(float alpha) const {
  const PlanarRoot& now = state_->root();
  return {lerp(root_before_.position, now.position, alpha) * scale(),
          root_before_.facing_rad + control::wrapped(now.facing_rad - root_before_.facing_rad) * alpha};
}

Vec3 ControlledActor::velocity_mps(double step_s) const {
  return (state_->root().position - root_before_.position) * (scale() / static_cast<float>(step_s));
}

ecs::Entity add_controlled_actor(ecs::World& world, control::ControllerPtr controller,
                                 std::unique_ptr<ActorDriver> driver, const ControlledActorOptions& options) {
  ControlledActor controlled(std::move(controller), std::move(driver), options);
  const control::Controller& model = controlled.controller();
  const float unit_m = options.body.metres_per_unit;
  const ecs::Entity entity = add_actor(
      world, options.body.character ? options.body.character : make_bare_character(model.skeleton(), model.type()),
      {{}, {}, {unit_m, unit_m, unit_m}});
  start_with_pose(controlled.displayed_pose(), world.get<Actor>(entity));
  world.add(entity, std::move(controlled));
  return entity;
}

void add_controller_systems(ecs::Schedule& schedule) {
  using ActorScope = ecs::Scope<Actor, ControlledActor, const Input, const Time>;
  schedule.add<Actor, ControlledActor, const Input, const Time>("controllers", [](ActorScope& scope) {
    const double step_s = scope.resource<const Time>().step_s;
    const Input& input = scope.resource<const Input>();
    scope.query<Actor, ControlledActor>().parallel_each(
        scope.pool(), 1, [&](Actor& actor, ControlledActor& controlled) { controlled.step(input, step_s, actor); });
  });
}

}  // namespace zoe::scene
