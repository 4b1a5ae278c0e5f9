// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The scene of `zoe play`: one controlled actor and its steering. The same with and without
// a renderer.
#pragma once

#include <memory>

#include "zoe/render/renderer.h"
#include "zoe/scene/scene.h"
#include "zoe/stream/port.h"

#include "controller/physics_layer.h"
#include "controller/play_options.h"
#include "play/mood_mixer.h"
#include "play/play_driver.h"

namespace zoe::viewer {

class PlayStage {
 public:
  // Fails where run, path, script or character cannot be read.
  static Result<std::unique_ptr<PlayStage>> open(const cli::PlayOptions& options);
  PlayStage(const PlayStage&) = delete;
  PlayStage& operator=(const PlayStage&) = delete;

  // The data for a renderer, which must outlive the stage.
  void prepare_drawing(render::Renderer& renderer, Warnings& warnings);

  scene::Scene& scene() { return scene_; }
  const scene::Scene& scene() const { return scene_; }
  scene::Entity actor() const { return actor_; }
  const scene::ControlledActor& controlled() const { return scene_.world().get<scene::ControlledActor>(actor_); }
  const control::Controller& controller() const { return controlled().controller(); }
  const control::ControllerState& state() const { return controlled().state(); }
  const control::Intent& intent() const { return controlled().intent(); }  // Of the last step.
  const PlayDriver& driver() const { return *driver_; }
  const Steering& steering() const { return driver_->steering(); }
  MoodMixer* mood() { return mood_.get(); }  // Null without --mood.
  const MoodMixer* mood() const { return mood_.get(); }
  const cli::PhysicsLayer* physics() const { return physics_.get(); }  // Null without --physics.
  int num_joints() const { return scene_.world().get<scene::Actor>(actor_).skeleton().num_joints(); }
  float height_m() const { return height_m_; }          // Of the displayed body.
  float scale() const { return controlled().scale(); }  // Displayed metres over those of states, paths and goals.

  Vec3 velocity_mps() const { return controlled().velocity_mps(scene_.time().step_s); }  // Of the root.
  // Between the last two steps, as it is drawn.
  PlanarRoot root_drawn() const { return controlled().root_between(scene_.time().alpha); }

 private:
  PlayStage() = default;

  scene::Scene scene_;
  scene::Entity actor_;
  PlayDriver* driver_ = nullptr;  // The actor's.
  float height_m_ = 1;
  std::unique_ptr<MoodMixer> mood_;
  std::unique_ptr<cli::PhysicsLayer> physics_;  // Null without --physics.
  CharacterPtr shapes_;                         // Of --show-body, else null.
};

}  // namespace zoe::viewer
