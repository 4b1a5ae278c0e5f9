// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Steers the character of `zoe play`: by hand, by a path, a script, or a program at the
// port.
#pragma once

#include <memory>
#include <vector>

#include "zoe/scene/controlled_actor.h"
#include "zoe/stream/port.h"

#include "controller/physics_layer.h"
#include "play/steering.h"

namespace zoe::viewer {

class PlayDriver final : public scene::ActorDriver {
 public:
  // source, port: may be null.
  PlayDriver(std::unique_ptr<control::IntentSource> source, bool is_script, std::unique_ptr<stream::IntentPort> port);

  control::Intent next(const control::Controller& controller, control::ControllerState& state,
                       const scene::Input& input, double step_s) override;
  void ticked(const control::ControllerState& state, double step_s) override;

  // Key P pushes its body. Null: none. The caller keeps it alive.
  void set_physics(cli::PhysicsLayer* physics) { physics_ = physics; }

  const Steering& steering() const { return steering_; }
  // Until a panel changes them.
  void set_styles(const control::StyleMix& mix) { steering_.set_styles(mix); }
  const control::Path* path() const { return source_ ? source_->path() : nullptr; }
  const stream::IntentPort* port() const { return port_.get(); }
  const char* name() const;  // "keys", "goal", "path", "script", "port".
  // Past positions of the character, one every few steps, the oldest first.
  void past(std::vector<Vec3>& positions) const;

 private:
  std::unique_ptr<control::IntentSource> source_;
  bool is_script_;
  std::unique_ptr<stream::IntentPort> port_;
  Steering steering_;
  std::vector<Vec3> past_;  // A ring.
  std::size_t next_past_ = 0;
  cli::PhysicsLayer* physics_ = nullptr;
};

}  // namespace zoe::viewer
