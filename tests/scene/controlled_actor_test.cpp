// SPDX-License-Identifier: MIT
#include "zoe/scene/controlled_actor.h"

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"
#include "zoe/scene/run.h"
#include "zoe/scene/skinned_mesh.h"

#include "control/toy_controller.h"
#include "support/allocation.h"
#include "support/pool.h"

namespace zoe::scene {
namespace {

using control::Intent;
using control::test::ToyController;

// Goes where keys say: W along +Z, D along +X.
class KeyDriver final : public ActorDriver {
 public:
  Intent next(const control::Controller&, control::ControllerState&, const Input& input, double) override {
    ++num_asked;
    return Intent::move({input.key('D') ? 1.0F : 0.0F, 0, input.key('W') ? 1.5F : 0.0F});
  }
  void ticked(const control::ControllerState&, double step_s) override { ticked_s += step_s; }
  int num_asked = 0;
  double ticked_s = 0;
};

class Always final : public control::IntentSource {
 public:
  explicit Always(Vec3 velocity_mps) : velocity_mps_(velocity_mps) {}
  Intent next(const PlanarRoot&, double) override { return Intent::move(velocity_mps_); }

 private:
  Vec3 velocity_mps_;
};

std::unique_ptr<ActorDriver> along(Vec3 velocity_mps) { return drive_by(std::make_unique<Always>(velocity_mps)); }

const ControlledActor& controlled(Scene& scene, Entity entity) { return scene.world().get<ControlledActor>(entity); }

// The reference: the controller ticked by hand.
std::uint64_t hash_by_hand(const control::Controller& controller, Vec3 velocity_mps, int ticks, double dt_s) {
  const auto state = controller.make_state();
  for (int i = 0; i < ticks; ++i) controller.tick(*state, Intent::move(velocity_mps), dt_s);
  return state->hash();
}

TEST(ControlledActor, IsTickedOnceAStepAndShowsItsPose) {
  const auto controller = std::make_shared<const ToyController>();
  Scene scene;
  const Entity entity = add_controlled_actor(scene.world(), controller, along({0, 0, 1.5F}));
  for (int i = 0; i < 90; ++i) scene.step();
  const ControlledActor& actor = controlled(scene, entity);
  EXPECT_EQ(actor.state().num_steps(), 90);
  EXPECT_EQ(actor.state().hash(), hash_by_hand(*controller, {0, 0, 1.5F}, 90, 1.0 / 60));
  EXPECT_GT(actor.state().root().position.z, 1.0F);
  // The joints and the body that is drawn are those of the state's pose.
  const auto& body = scene.world().get<Actor>(entity);
  EXPECT_EQ(body.pose.translations[0], actor.state().pose().translations[0]);
  EXPECT_EQ(body.model_from_joint[0].t, actor.state().pose().translations[0]);
  scene.display();
  EXPECT_EQ(scene.world().get<SkinnedMesh>(entity).model_from_joint[0].t, body.model_from_joint[0].t);
}

TEST(ControlledActor, StartsInTheControllersPoseNotAtRest) {
  Scene scene;
  const Entity entity = add_controlled_actor(scene.world(), std::make_shared<const ToyController>(), along({}),
                                             {.start = {{3, 0, -2}, 1}});
  const auto& body = scene.world().get<Actor>(entity);
  EXPECT_LT(distance(body.model_from_joint[0].t, {3, 1, -2}), 1e-5F);
  EXPECT_EQ(body.model_from_joint_before[0].t, body.model_from_joint[0].t);
  EXPECT_NEAR(controlled(scene, entity).root_between(0.5F).facing_rad, 1, 1e-5F);
}

TEST(ControlledActor, TwoOfOneControllerDoNotDisturbEachOther) {
  const auto controller = std::make_shared<const ToyController>();
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    Scene scene{{.pool = &pool}};
    const Entity first = add_controlled_actor(scene.world(), controller, along({0, 0, 1})),
                 second = add_controlled_actor(scene.world(), controller, along({2, 0, 0}));
    for (int i = 0; i < 60; ++i) scene.step();
    EXPECT_EQ(controlled(scene, first).state().hash(), hash_by_hand(*controller, {0, 0, 1}, 60, 1.0 / 60));
    EXPECT_EQ(controlled(scene, second).state().hash(), hash_by_hand(*controller, {2, 0, 0}, 60, 1.0 / 60));
  }
}

TEST(ControlledActor, TimeScalesAreItsOwn) {
  const auto controller = std::make_shared<const ToyController>();
  Scene scene;
  const Entity whole = add_controlled_actor(scene.world(), controller, along({0, 0, 1})),
               half = add_controlled_actor(scene.world(), controller, along({0, 0, 1}), {.time_scale = 0.5F}),
               held = add_controlled_actor(scene.world(), controller, along({0, 0, 1}), {.time_scale = -3});
  for (int i = 0; i < 120; ++i) scene.step();
  EXPECT_EQ(controlled(scene, whole).state().num_steps(), 120);
  EXPECT_EQ(controlled(scene, half).state().hash(), hash_by_hand(*controller, {0, 0, 1}, 120, 0.5 / 60));
  EXPECT_EQ(controlled(scene, half).state().num_steps(), 60);
  EXPECT_EQ(controlled(scene, held).state().num_steps(), 0);
  EXPECT_EQ(controlled(scene, held).time_scale(), 0);
  // The scene's clock slows all of them down.
  scene.clock().set_scale(0.25);
  for (int i = 0; i < 60; ++i) scene.advance(1.0 / 60);
  EXPECT_EQ(controlled(scene, whole).state().num_steps(), 135);
}

TEST(ControlledActor, PausesWithTheSceneOrAlone) {
  const auto controller = std::make_shared<const ToyController>();
  Scene scene;
  auto driver = std::make_unique<KeyDriver>();
  const KeyDriver& asked = *driver;
  const Entity entity = add_controlled_actor(scene.world(), controller, std::move(driver));
  scene.push(key_event('W', true));
  for (int i = 0; i < 30; ++i) scene.advance(1.0 / 60);
  EXPECT_EQ(asked.num_asked, 30);
  scene.clock().set_paused(true);
  for (int i = 0; i < 30; ++i) scene.advance(1.0 / 60);
  EXPECT_EQ(asked.num_asked, 30);
  scene.clock().set_paused(false);
  scene.world().get<ControlledActor>(entity).set_paused(true);
  const std::uint64_t hash = controlled(scene, entity).state().hash();
  for (int i = 0; i < 30; ++i) scene.advance(1.0 / 60);
  EXPECT_EQ(asked.num_asked, 30);
  EXPECT_EQ(controlled(scene, entity).state().hash(), hash);
  EXPECT_EQ(controlled(scene, entity).velocity_mps(1.0 / 60), Vec3{});  // It stands, whatever it did before.
  scene.world().get<ControlledActor>(entity).set_paused(false);
  for (int i = 0; i < 30; ++i) scene.advance(1.0 / 60);
  EXPECT_EQ(asked.num_asked, 60);
  EXPECT_NEAR(asked.ticked_s, 1, 1e-9);
}

// A hand on the keyboard, written down; then without one, at other frame rates.
TEST(ControlledActor, RecordedInputGivesTheSameStates) {
  const auto controller = std::make_shared<const ToyController>();
  InputRecording recording;
  std::uint64_t expected = 0;
  Hash128 poses;
  {
    Scene scene;
    const Entity entity = add_controlled_actor(scene.world(), controller, std::make_unique<KeyDriver>());
    scene.start_recording();
    for (int i = 0; i < 200; ++i) {
      if (i % 17 == 3) scene.push(key_event('W', i % 2 == 0));
      if (i % 23 == 5) scene.push(key_event('D', i % 3 == 0));
      scene.advance(0.011 + 0.003 * (i % 5));
    }
    recording = scene.stop_recording();
    expected = controlled(scene, entity).state().hash();
    poses = hash_poses(scene.world());
    ASSERT_GT(length(controlled(scene, entity).state().root().position), 0.3F);
  }
  for (const double frame_s : {1.0 / 120, 1.0 / 60, 1.0 / 24}) {
    Scene scene;
    const Entity entity = add_controlled_actor(scene.world(), controller, std::make_unique<KeyDriver>());
    ASSERT_TRUE(scene.play(recording));
    run_headless(scene, {.frame_s = frame_s});
    EXPECT_EQ(controlled(scene, entity).state().hash(), expected) << frame_s;
    EXPECT_EQ(hash_poses(scene.world()), poses) << frame_s;
  }
}

TEST(ControlledActor, RootsAreDrawnBetweenSteps) {
  Scene scene;
  const Entity entity = add_controlled_actor(scene.world(), std::make_shared<const ToyController>(), along({0, 0, 2}));
  for (int i = 0; i < 200; ++i) scene.step();
  const ControlledActor& actor = controlled(scene, entity);
  const float before = actor.root_between(0).position.z, now = actor.root_between(1).position.z;
  EXPECT_EQ(now, actor.state().root().position.z);
  EXPECT_NEAR(actor.root_between(0.25F).position.z, before + 0.25F * (now - before), 1e-5F);
  EXPECT_NEAR(actor.velocity_mps(1.0 / 60).z, 2, 0.01F);
}

TEST(ControlledActor, AllocatesNothingOnceWarm) {
  ThreadPool pool(1);
  Scene scene{{.pool = &pool}};
  add_controlled_actor(scene.world(), std::make_shared<const ToyController>(), along({0, 0, 2}));
  for (int i = 0; i < 20; ++i) scene.advance(1.0 / 60);
  test::wait_for_threads(pool);
  const test::AllocationMeter meter;
  for (int i = 0; i < 20; ++i) scene.advance(1.0 / 60);
  EXPECT_EQ(meter.allocations(), 0u);
}

}  // namespace
}  // namespace zoe::scene
