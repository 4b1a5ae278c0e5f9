// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The scene of `zoe play`: one controller's character, steered by hand, by a path, a script or a program. The
// same with a renderer and without one.
#pragma once

#include <memory>
#include <vector>

#include "zoe/scene/scene.h"
#include "zoe/stream/port.h"

#include "controller/play_options.h"
#include "play/steering.h"

namespace zoe::viewer {

class PlayStage {
 public:
  // draws: bodies get what a renderer needs. Fails where run, path or script cannot be read.
  static Result<std::unique_ptr<PlayStage>> open(const cli::PlayOptions& options, bool draws);
  PlayStage(const PlayStage&) = delete;
  PlayStage& operator=(const PlayStage&) = delete;

  scene::Scene& scene() { return scene_; }
  const control::Controller& controller() const { return *controller_; }
  const control::ControllerState& state() const { return *state_; }
  const control::Intent& intent() const { return intent_; }  // Of the last step.
  const Steering& steering() const { return steering_; }
  const control::Path* path() const { return source_ ? source_->path() : nullptr; }
  const char* driver() const;  // "keys", "goal", "path", "script", "port".
  const stream::IntentPort* port() const { return port_.get(); }
  double tick_us() const { return tick_us_; }  // Smoothed.
  float height_m() const { return height_m_; }
  scene::Entity actor() const { return actor_; }

  Vec3 velocity_mps() const;  // Of the root over the last step.
  // Between the last two steps, as it is drawn.
  PlanarRoot root_drawn() const;
  // Where it was, a place every few steps, the oldest first.
  void past(std::vector<Vec3>& places) const;

 private:
  PlayStage() = default;
  void add_systems();
  void step(scene::Actor& actor, const scene::Input& input, double step_s);
  void show(scene::Actor& actor);

  control::ControllerPtr controller_;
  std::unique_ptr<control::ControllerState> state_;
  std::unique_ptr<control::IntentSource> source_;
  bool scripted_ = false;
  std::unique_ptr<stream::IntentPort> port_;
  Steering steering_;
  control::Intent intent_;
  scene::Scene scene_;
  scene::Entity actor_;
  PlanarRoot root_before_;
  std::vector<Vec3> past_;  // A ring.
  std::size_t next_past_ = 0;
  double tick_us_ = 0;
  float height_m_ = 1;
};

}  // namespace zoe::viewer
