// SPDX-License-Identifier: MIT
#include "zoe/scene/crowd_actors.h"

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"
#include "zoe/scene/hierarchy.h"
#include "zoe/scene/scene.h"

#include "control/toy_controller.h"

namespace zoe::scene {
namespace {

using control::Crowd;
using control::Intent;
using control::test::ToyController;

const std::vector<PlanarRoot> kStarts{{{-2, 0, 0}, 0}, {{0, 0, 0}, 0.5F}, {{2, 0, 0}, 1}};

std::shared_ptr<Crowd> make_crowd() {
  return std::make_shared<Crowd>(std::make_shared<const ToyController>(), kStarts);
}

// Everybody along +Z, each faster than the one before.
void go(const Crowd&, std::span<Intent> intents, double) {
  for (std::size_t i = 0; i < intents.size(); ++i) intents[i] = Intent::move({0, 0, 1 + 0.3F * static_cast<float>(i)});
}

std::uint64_t hash_by_hand(int ticks, double dt_s) {
  const auto crowd = make_crowd();
  std::vector<Intent> intents(kStarts.size());
  go(*crowd, intents, dt_s);
  for (int i = 0; i < ticks; ++i) crowd->tick(intents, dt_s, ThreadPool::shared());
  return crowd->hash();
}

TEST(CrowdActors, AreTickedTogetherAndShowABodyEach) {
  for (const int threads : {1, 4}) {
    ThreadPool pool(threads);
    Scene scene{{.pool = &pool}};
    const Entity entity = add_crowd_actors(scene.world(), make_crowd(), go);
    for (int i = 0; i < 60; ++i) scene.step();
    const auto& actors = scene.world().get<CrowdActors>(entity);
    EXPECT_EQ(actors.crowd().hash(), hash_by_hand(60, 1.0 / 60));
    ASSERT_EQ(actors.bodies().size(), 3u);
    for (int i = 0; i < 3; ++i) {
      const auto& body = scene.world().get<Actor>(actors.bodies()[static_cast<std::size_t>(i)]);
      EXPECT_EQ(body.model_from_joint[0].t, actors.crowd().state(i).pose().translations[0]);
    }
    EXPECT_GT(actors.crowd().state(2).root().position.z, actors.crowd().state(0).root().position.z + 0.2F);
  }
}

// Two crowds of one controller in one scene, one of them at half speed and then held.
TEST(CrowdActors, HaveTheirOwnTime) {
  Scene scene;
  const Entity whole = add_crowd_actors(scene.world(), make_crowd(), go),
               half = add_crowd_actors(scene.world(), make_crowd(), go);
  scene.world().get<CrowdActors>(half).set_time_scale(0.5F);
  for (int i = 0; i < 60; ++i) scene.step();
  EXPECT_EQ(scene.world().get<CrowdActors>(whole).crowd().hash(), hash_by_hand(60, 1.0 / 60));
  const std::uint64_t slow = scene.world().get<CrowdActors>(half).crowd().hash();
  EXPECT_EQ(slow, hash_by_hand(60, 0.5 / 60));
  scene.world().get<CrowdActors>(half).set_paused(true);
  for (int i = 0; i < 10; ++i) scene.step();
  EXPECT_EQ(scene.world().get<CrowdActors>(half).crowd().hash(), slow);
}

TEST(CrowdActors, WithoutADriverOnlyDisplayWhatSomebodyElseTicks) {
  Scene scene;
  const auto crowd = make_crowd();
  const Entity entity = add_crowd_actors(scene.world(), crowd, nullptr);
  std::vector<Intent> intents(kStarts.size());
  go(*crowd, intents, 0);
  for (int i = 0; i < 30; ++i) crowd->tick(intents, 1.0 / 60, ThreadPool::shared());
  const std::uint64_t hash = crowd->hash();
  scene.step();
  EXPECT_EQ(crowd->hash(), hash);
  const auto& actors = scene.world().get<CrowdActors>(entity);
  EXPECT_EQ(scene.world().get<Actor>(actors.bodies()[1]).pose.translations[0], crowd->state(1).pose().translations[0]);
}

TEST(CrowdActors, GoOnWhenABodyIsGone) {
  Scene scene;
  const Entity entity = add_crowd_actors(scene.world(), make_crowd(), go);
  for (int i = 0; i < 5; ++i) scene.step();
  destroy_tree(scene.world(), scene.world().get<CrowdActors>(entity).bodies()[1]);
  for (int i = 0; i < 5; ++i) scene.step();
  EXPECT_EQ(scene.world().get<CrowdActors>(entity).crowd().hash(), hash_by_hand(10, 1.0 / 60));
}

}  // namespace
}  // namespace zoe::scene
