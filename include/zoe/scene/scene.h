// SPDX-License-Identifier: MIT
// Part of Zoetrope. A scene: a world of actors, cameras, lights and whatever you add, and the two schedules that drive
// it.
//
//   Scene scene;
//   const Entity hero = add_actor(scene.world(), character);
//   play_motion(scene.world(), hero, walk);
//   scene.advance(1.0 / 30);  // Two fixed steps of 1/60 s, one frame.
//
// Scenes share nothing: have several in one process.
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

// Parts of a fixed step, in order. Systems of your own go into any of them, behind those that are there.
enum class Phase : std::uint8_t {
  kControl,  // Reads Input; moves entities, starts clips.
  kAnimate,  // Clips and controllers write poses. Then world transforms are computed.
  kSolve,    // Targets bend poses; joints get their places in model space. Then what hangs on joints follows.
  kFinish,   // Looks at the results: trajectories, sensors, data to keep.
};
constexpr std::size_t kNumPhases = 4;

struct SceneOptions {
  double step_s = 1.0 / 60;     // > 0.
  int max_steps_per_frame = 8;  // More that are due are dropped; see StepClock.
  Executor* pool = nullptr;     // nullptr: the shared one.
};

// Which camera is looked through; a resource. No entity: the first one.
struct ActiveCamera {
  Entity entity;
};

class Scene {
 public:
  explicit Scene(const SceneOptions& options = {});

  ecs::World& world() { return world_; }
  const ecs::World& world() const { return world_; }
  ecs::Schedule& fixed(Phase phase) { return fixed_[static_cast<std::size_t>(phase)]; }
  ecs::Schedule& frame() { return frame_; }  // Once a frame, after its fixed steps: cameras, what is drawn.
  const Time& time() const { return world_.resource<Time>(); }
  StepClock& clock() { return clock_; }

  // Time passes: runs the fixed steps that are due and one frame. Returns how many steps. After the first few calls
  // this allocates nothing, apart from what your systems and structural changes do.
  int advance(double real_s);
  // One fixed step, whatever the clock says, and no frame.
  void step();
  // One frame of the last step as it is, without time passing: pictures of a moment.
  void display();

  // Something that the user did. Seen by the next frame and by the next fixed step.
  void push(const InputEvent& event);

  // Writes down what fixed steps see from now on; start before the first step to play it back from the beginning.
  void start_recording();
  InputRecording stop_recording();
  // Fixed steps see the recording and nothing else, from the next step on. Fails (kUsage) on another step length.
  Result<void> play(InputRecording recording);
  bool playing() const { return playing_.has_value(); }  // Until its last step has run.
  // How long the recording that plays goes on.
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
  std::uint64_t recording_began_ = 0, playing_began_ = 0;  // Step.
  std::size_t played_ = 0;                                 // Events.
};

// An entity with everything that an actor on screen has: Name, transforms, Actor, SkinnedMesh.
Entity add_actor(ecs::World& world, CharacterPtr character, const Transform& world_from_actor = {});
// A named place, on a parent or on nothing.
Entity add_node(ecs::World& world, std::string name, const Transform& parent_from_node = {}, Entity parent = {});

// Bytes of all poses, joints and world transforms: the same for the same state, on any number of threads.
Hash128 hash_poses(const ecs::World& world);

}  // namespace zoe::scene
