// SPDX-License-Identifier: MIT
// Part of Zoetrope. A scene: a world of actors, cameras, lights and your own entities, and the two schedules that drive
// it.
//
//   Scene scene;
//   const Entity hero = add_actor(scene.world(), character);
//   play_motion(scene.world(), hero, walk);
//   scene.advance(1.0 / 30);  // Two fixed steps of 1/60 s, one frame.
//
// Scenes share nothing: a process can have several.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "zoe/core/hash.h"
#include "zoe/ecs/schedule.h"
#include "zoe/scene/actor.h"
#include "zoe/scene/hierarchy.h"
#include "zoe/scene/recording.h"
#include "zoe/scene/time.h"

namespace zoe::scene {

// Parts of a fixed step, in order. Your own systems go into any of them, after the built-in ones.
enum class Phase : std::uint8_t {
  kControl,  // Reads Input; moves entities, starts clips.
  kAnimate,  // Clips and controllers write poses. Then world transforms are computed.
  kSolve,    // Targets bend poses; joint positions in model space are computed. Then attachments to joints follow.
  kFinish,   // Reads the results: trajectories, sensors, data to store.
};
constexpr std::size_t kNumPhases = 4;

struct SceneOptions {
  double step_s = 1.0 / 60;     // > 0.
  int max_steps_per_frame = 8;  // Further due steps are dropped; see StepClock.
  Executor* pool = nullptr;     // nullptr: the shared one.
};

// The active camera; a resource. No entity: the first one.
struct ActiveCamera {
  Entity entity;
};

class Scene {
 public:
  explicit Scene(const SceneOptions& options = {});

  ecs::World& world() { return world_; }
  const ecs::World& world() const { return world_; }
  ecs::Schedule& fixed(Phase phase) { return fixed_[static_cast<std::size_t>(phase)]; }
  ecs::Schedule& frame() { return frame_; }  // Once per frame, after its fixed steps: cameras, drawing.
  const Time& time() const { return world_.resource<Time>(); }
  StepClock& clock() { return clock_; }

  // Advances time: runs the fixed steps that are due and one frame. Returns the number of steps. After the first few
  // calls this allocates nothing, apart from your systems and structural changes.
  int advance(double real_s);
  // One fixed step, independent of the clock, and no frame.
  void step();
  // One frame of the last step, without advancing the time: for pictures of a moment.
  void display();

  // An input event. The next frame and the next fixed step see it.
  void push(const InputEvent& event);

  // Records the input of fixed steps from now on. Start before the first step to replay it from the start.
  void start_recording();
  InputRecording stop_recording();
  // Fixed steps see only the recording, from the next step on. Fails (kUsage) on another step length.
  Result<void> play(InputRecording recording);
  bool playing() const { return playing_.has_value(); }  // Until its last step has run.
  // Remaining steps of the recording that plays.
  std::uint64_t steps_left() const;

 private:
  void run_fixed_step();

  ecs::World world_;
  std::vector<ecs::Schedule> fixed_;
  ecs::Schedule frame_, begin_, attach_;
  StepClock clock_;
  Executor* pool_;
  std::vector<InputEvent> waiting_;  // For the next fixed step.
  std::optional<InputRecording> recording_, playing_;
  std::uint64_t recording_began_ = 0, playing_began_ = 0;  // Step index.
  std::size_t played_ = 0;                                 // Number of events.
};

// An entity with all components of a displayed actor: Name, transforms, Actor, SkinnedMesh.
Entity add_actor(ecs::World& world, CharacterPtr character, const Transform& world_from_actor = {});
// A named transform, with or without a parent.
Entity add_node(ecs::World& world, std::string name, const Transform& parent_from_node = {}, Entity parent = {});

// Hash of all poses, joints and world transforms: the same for the same state, on any number of threads.
Hash128 hash_poses(const ecs::World& world);

}  // namespace zoe::scene
