// SPDX-License-Identifier: MIT
#include "zoe/scene/scene.h"

#include <fmt/format.h>

#include "zoe/core/thread_pool.h"
#include "zoe/core/trace.h"
#include "zoe/scene/skinned_mesh.h"

#include "scene/systems.h"

namespace zoe::scene {

Scene::Scene(const SceneOptions& options)
    : fixed_(kNumPhases),
      clock_(options.step_s, options.max_steps_per_frame),
      pool_(options.pool != nullptr ? options.pool : &ThreadPool::shared()) {
  ZOE_CHECK(options.step_s > 0 && options.max_steps_per_frame > 0, "a scene needs a step length and at least one step");
  world_.set_resource(Time{.step_s = options.step_s});
  world_.set_resource(Input{});
  world_.set_resource(FrameInput{});
  world_.set_resource(Hierarchy{});
  world_.set_resource(ActiveCamera{});
  add_begin_systems(begin_);
  add_attachment_system(attach_);
  add_animate_systems(fixed(Phase::kAnimate));
  add_controller_systems(fixed(Phase::kAnimate));
  add_crowd_systems(fixed(Phase::kAnimate));
  add_solve_systems(fixed(Phase::kSolve));
  add_finish_systems(fixed(Phase::kFinish));
  add_frame_systems(frame_);
}

void Scene::push(const InputEvent& event) {
  world_.resource<FrameInput>().apply(event);
  waiting_.push_back(event);
}

void Scene::run_fixed_step() {
  ZOE_TRACE_SCOPE("scene step");
  Time& time = world_.resource<Time>();
  Input& input = world_.resource<Input>();
  input.begin();
  if (playing_) {
    const std::uint64_t now = time.step - playing_began_;
    for (; played_ < playing_->events.size() && playing_->events[played_].step <= now; ++played_) {
      input.apply(playing_->events[played_].event);
      if (recording_) recording_->events.push_back({time.step - recording_began_, playing_->events[played_].event});
    }
  } else {
    for (const InputEvent& event : waiting_) {
      input.apply(event);
      if (recording_) recording_->events.push_back({time.step - recording_began_, event});
    }
  }
  waiting_.clear();

  Hierarchy& hierarchy = world_.resource<Hierarchy>();
  begin_.run(world_, *pool_);
  fixed(Phase::kControl).run(world_, *pool_);
  fixed(Phase::kAnimate).run(world_, *pool_);
  attach_.run(world_, *pool_);
  hierarchy.update(world_, *pool_);
  fixed(Phase::kSolve).run(world_, *pool_);
  attach_.run(world_, *pool_);
  hierarchy.update(world_, *pool_);
  fixed(Phase::kFinish).run(world_, *pool_);

  ++time.step;
  if (playing_ && steps_left() == 0) playing_.reset();
}

int Scene::advance(double real_s) {
  const int due = clock_.advance(real_s);
  const bool was_playing = playing();
  int steps = 0;
  // The frame in which a recording ends runs no step beyond it: runs with other frame rates end in the same state.
  while (steps < due && was_playing == playing()) {
    run_fixed_step();
    ++steps;
  }
  ZOE_TRACE_SCOPE("scene frame");
  Time& time = world_.resource<Time>();
  time.frame_s = real_s;
  time.alpha = clock_.alpha();
  ++time.frame;
  frame_.run(world_, *pool_);
  world_.resource<FrameInput>().begin();
  return steps;
}

void Scene::step() {
  run_fixed_step();
  world_.resource<Time>().alpha = 1;
}

void Scene::display() {
  Time& time = world_.resource<Time>();
  time.frame_s = 0;
  time.alpha = 1;
  ++time.frame;
  frame_.run(world_, *pool_);
  world_.resource<FrameInput>().begin();
}

void Scene::start_recording() {
  recording_ = InputRecording{.step_s = time().step_s};
  recording_began_ = time().step;
}

InputRecording Scene::stop_recording() {
  ZOE_CHECK(recording_.has_value(), "stop_recording without start_recording");
  InputRecording done = std::move(*recording_);
  recording_.reset();
  done.num_steps = time().step - recording_began_;
  return done;
}

Result<void> Scene::play(InputRecording recording) {
  if (recording.step_s != time().step_s) {
    return Error{ErrorCode::kUsage,
                 fmt::format("input recorded with steps of {} s cannot be played with steps of {} s: make the scene "
                             "with SceneOptions::step_s of the recording",
                             recording.step_s, time().step_s),
                 {}};
  }
  playing_ = std::move(recording);
  playing_began_ = time().step;
  played_ = 0;
  if (steps_left() == 0) playing_.reset();
  return {};
}

std::uint64_t Scene::steps_left() const {
  if (!playing_) return 0;
  const std::uint64_t done = time().step - playing_began_;
  return done < playing_->num_steps ? playing_->num_steps - done : 0;
}

Entity add_actor(ecs::World& world, CharacterPtr character, const Transform& world_from_actor) {
  SkinnedMesh mesh = make_skinned_mesh(*character);
  std::string name = character->name;
  const Affine place = to_affine(world_from_actor);
  return world.create(Name{std::move(name)}, LocalTransform(world_from_actor), WorldTransform{place},
                      Interpolated{place}, make_actor(std::move(character)), std::move(mesh));
}

Entity add_node(ecs::World& world, std::string name, const Transform& parent_from_node, Entity parent) {
  const Entity entity = world.create(Name{std::move(name)}, LocalTransform(parent_from_node), WorldTransform{});
  if (parent) set_parent(world, entity, parent);
  world.get<WorldTransform>(entity).world_from_entity = compute_world(world, entity);
  return entity;
}

}  // namespace zoe::scene
