// SPDX-License-Identifier: MIT
// Part of Zoetrope. Many actors of one controller: a control::Crowd steps them together, and each has a body in the
// scene.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "zoe/control/crowd.h"
#include "zoe/ecs/world.h"
#include "zoe/scene/actor.h"
#include "zoe/scene/displayed_body.h"

namespace zoe::scene {

// Writes the intents of all characters: intents are [crowd.size()], with the values of the last step. Called once per
// fixed step. Null: other code ticks the crowd, and the scene only displays it.
using CrowdDriver = std::function<void(const control::Crowd& crowd, std::span<control::Intent> intents, double step_s)>;

// A component of a separate entity. Bodies are actors. Poses are in world space.
class CrowdActors {
 public:
  CrowdActors(std::shared_ptr<control::Crowd> crowd, CrowdDriver driver, std::vector<ecs::Entity> bodies,
              DisplayedBody body = {});

  const control::Crowd& crowd() const { return *crowd_; }
  std::span<const ecs::Entity> bodies() const { return bodies_; }  // [crowd().size()]
  // Seconds of the crowd per second of the scene. Never below 0.
  void set_time_scale(float scale);
  void set_paused(bool paused) { paused_ = paused; }

  const DisplayedBody& body() const { return poser_.body(); }
  // Metres of the displayed bodies over those of the crowd.
  float scale() const { return poser_.body().character ? poser_.body().scale() : 1; }
  // The present pose of a character's displayed body. Valid until the next call.
  PoseView displayed_pose(int character) { return poser_.run(crowd_->state(character).pose()); }

  // One fixed step of all characters. The number of threads does not matter.
  void tick(double step_s, Executor& executor);

  template <typename F>
  friend void visit_entities(CrowdActors& crowd, F&& f) {
    for (ecs::Entity& body : crowd.bodies_) f(body);
  }

 private:
  std::shared_ptr<control::Crowd> crowd_;
  CrowdDriver driver_;
  std::vector<ecs::Entity> bodies_;
  BodyPoser poser_;
  std::vector<control::Intent> intents_;
  float time_scale_ = 1;
  bool paused_ = false;
};

// The entity of the CrowdActors. Its bodies are actors that share one character: `body`, or the controller's bones. A
// destroyed body is no longer displayed, but the crowd continues with that character.
ecs::Entity add_crowd_actors(ecs::World& world, std::shared_ptr<control::Crowd> crowd, CrowdDriver driver,
                             const DisplayedBody& body = {});

}  // namespace zoe::scene
