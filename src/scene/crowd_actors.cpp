// SPDX-License-Identifier: MIT
#include "zoe/scene/crowd_actors.h"

#include <algorithm>

#include "zoe/scene/scene.h"
#include "zoe/scene/time.h"

#include "scene/systems.h"

namespace zoe::scene {

CrowdActors::CrowdActors(std::shared_ptr<control::Crowd> crowd, CrowdDriver driver, std::vector<ecs::Entity> bodies,
                         DisplayedBody body)
    : crowd_(std::move(crowd)), driver_(std::move(driver)), bodies_(std::move(bodies)), poser_(std::move(body)) {
  ZOE_CHECK(crowd_ != nullptr && bodies_.size() == static_cast<std::size_t>(crowd_->size()),
            "crowd actors need a crowd and one body a character");
  intents_.resize(bodies_.size());
}

void CrowdActors::set_time_scale(float scale) { time_scale_ = std::max(scale, 0.0F); }

void CrowdActors::tick(double step_s, Executor& executor) {
  if (paused_ || !driver_) return;
  const double own_s = step_s * static_cast<double>(time_scale_);
  driver_(*crowd_, intents_, own_s);
  crowd_->tick(intents_, own_s, executor);
}

ecs::Entity add_crowd_actors(ecs::World& world, std::shared_ptr<control::Crowd> crowd, CrowdDriver driver,
                             const DisplayedBody& body) {
  ZOE_CHECK(crowd != nullptr, "crowd actors need a crowd");
  const CharacterPtr character =
      body.character ? body.character : make_bare_character(crowd->controller().skeleton(), crowd->controller().type());
  const float unit_m = body.metres_per_unit;
  BodyPoser poser(body);
  std::vector<ecs::Entity> bodies;
  for (int i = 0; i < crowd->size(); ++i) {
    bodies.push_back(add_actor(world, character, {{}, {}, {unit_m, unit_m, unit_m}}));
    start_with_pose(poser.run(crowd->state(i).pose()), world.get<Actor>(bodies.back()));
  }
  return world.create(CrowdActors(std::move(crowd), std::move(driver), std::move(bodies), body));
}

void add_crowd_systems(ecs::Schedule& schedule) {
  using CrowdScope = ecs::Scope<Actor, CrowdActors, const Time>;
  schedule.add<Actor, CrowdActors, const Time>("crowds", [](CrowdScope& scope) {
    const double step_s = scope.resource<const Time>().step_s;
    scope.query<CrowdActors>().each([&](CrowdActors& actors) {
      actors.tick(step_s, scope.pool());
      for (int i = 0; i < actors.crowd().size(); ++i) {
        auto* actor = scope.find<Actor>(actors.bodies()[static_cast<std::size_t>(i)]);
        if (actor != nullptr) write_pose(actors.displayed_pose(i), *actor);
      }
    });
  });
}

}  // namespace zoe::scene
