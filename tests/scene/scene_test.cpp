// SPDX-License-Identifier: MIT
#include "zoe/scene/scene.h"

#include <csignal>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/scene/ik_target.h"
#include "zoe/scene/run.h"
#include "zoe/scene/skinned_mesh.h"
#include "zoe/scene/trajectory.h"

#include "scene/rig.h"
#include "support/allocation.h"
#include "support/pool.h"

namespace zoe::scene {
namespace {

// A component and a resource of the test's own.
struct Walker {
  float speed_m_s = 1;
};
struct StepHashes {
  std::vector<Hash128> all;
};

// Two actors that play clips; the arrow axis drives one, a key switches its clip, another drops a
// pebble; a hand follows a target that rides on the other actor. Hashes after every step.
struct Show {
  Scene scene;
  Entity hero, friend_;

  explicit Show(ThreadPool* pool = nullptr, double step_length_s = 1.0 / 60)
      : scene({.step_s = step_length_s, .pool = pool}) {
    ecs::World& world = scene.world();
    const CharacterPtr rig = make_rig();
    hero = add_actor(world, rig);
    friend_ = add_actor(world, rig, {{1.0F, 0, 0}, {}});
    const MotionPtr a = make_clip(rig->skeleton, 0, 0.4F), b = make_clip(rig->skeleton, 2, 0.7F, 40, 24);
    for (const Entity actor : {hero, friend_}) {
      EXPECT_TRUE(play_motion(world, actor, actor == hero ? a : b));
    }
    world.add(hero, Walker{2});
    world.add(hero, Trajectory(20, 3));
    const Entity target = add_fabrik_target(world, hero, kSpine, kLeftHand).value();
    set_parent(world, target, friend_, true);
    world.set_resource(StepHashes{});

    using Control = ecs::Scope<LocalTransform, MotionPlayer, const Walker, const Actor, const Input, const Time>;
    scene.fixed(Phase::kControl)
        .add<LocalTransform, MotionPlayer, const Walker, const Actor, const Input, const Time>(
            "walk", [a, b](Control& scope) {
              const Input& input = scope.resource<const Input>();
              const auto step_s = static_cast<float>(scope.resource<const Time>().step_s);
              scope.query<LocalTransform, MotionPlayer, const Walker, const Actor>().each(
                  [&](LocalTransform& local, MotionPlayer& player, const Walker& walker, const Actor& actor) {
                    local.edit().translation.z += input.axis(0) * walker.speed_m_s * step_s;
                    if (input.key_pressed('C')) (void)player.play(player.motion() == a.get() ? b : a, actor.skeleton());
                    if (input.key('S')) player.set_speed(player.speed() * 0.99F);
                  });
              if (input.key_pressed('P')) {
                scope.commands().create(LocalTransform({{input.axis(0), 5, 0}, {}}), WorldTransform{}, Walker{});
              }
            });
    scene.fixed(Phase::kFinish).add_exclusive("hash", [](ecs::World& w) {
      w.resource<StepHashes>().all.push_back(hash_poses(w));
    });
  }
  const std::vector<Hash128>& hashes() const { return scene.world().resource<StepHashes>().all; }
};

// What a user does over some frames of uneven length.
InputRecording record_a_session(std::vector<Hash128>& hashes) {
  Show show;
  show.scene.start_recording();
  Random random(4);
  for (int frame = 0; frame < 150; ++frame) {
    if (frame % 7 == 0) show.scene.push(axis_event(0, random.uniform(-1, 1)));
    if (frame % 40 == 20) show.scene.push(key_event('C', true));
    if (frame % 40 == 21) show.scene.push(key_event('C', false));
    if (frame == 60) show.scene.push(key_event('S', true));
    if (frame == 90) show.scene.push(key_event('S', false)), show.scene.push(key_event('P', true));
    show.scene.advance(random.uniform(0.001F, 0.05F));
  }
  InputRecording recording = show.scene.stop_recording();
  hashes = show.hashes();
  EXPECT_EQ(recording.num_steps, hashes.size());
  EXPECT_GT(recording.events.size(), 20u);
  return recording;
}

// A window that shows nothing, with a clock of its own.
class FakeWindow : public Host {
 public:
  explicit FakeWindow(std::uint64_t seed) : random_(seed) {}
  bool poll(std::vector<InputEvent>& events) override {
    // A hand on the keyboard must not disturb the playback.
    events.push_back(axis_event(0, random_.uniform(-1, 1)));
    events.push_back(key_event('C', frames_ % 2 == 0));
    now_s_ += random_.uniform(0.002F, 0.08F);
    return playing_;
  }
  void draw(Scene& scene) override {
    ++frames_;
    playing_ = scene.playing();
  }
  double now_s() override { return now_s_; }

 private:
  Random random_;
  double now_s_ = 100;
  int frames_ = 0;
  bool playing_ = true;
};

TEST(Scene, TheSameInputGivesTheSamePosesHoweverItRuns) {
  std::vector<Hash128> expected;
  const InputRecording recorded = record_a_session(expected);
  // Through the file, as between two programs.
  const InputRecording recording = parse_recording(to_text(recorded), "memory").value();
  EXPECT_NE(expected.front(), expected.back());

  for (const double frame_s : {1.0 / 60, 1.0 / 24, 1.0 / 240, 0.031}) {
    Show headless;
    ASSERT_TRUE(headless.scene.play(recording));
    const RunReport report = run_headless(headless.scene, {.frame_s = frame_s});
    EXPECT_EQ(report.steps, recording.num_steps);
    EXPECT_EQ(headless.hashes(), expected) << frame_s;
  }
  for (const std::uint64_t seed : {1u, 2u}) {
    ThreadPool pool(static_cast<int>(3 * seed - 3));
    Show windowed(&pool);
    ASSERT_TRUE(windowed.scene.play(recording));
    FakeWindow window(seed);
    run_standalone(windowed.scene, window);
    EXPECT_EQ(windowed.hashes(), expected) << seed;
  }
  Show manual;
  ASSERT_TRUE(manual.scene.play(recording));
  manual.scene.clock().set_scale(0.3);
  while (manual.scene.playing()) {
    manual.scene.step();
    if (manual.scene.playing()) manual.scene.advance(0.02);
  }
  EXPECT_EQ(manual.hashes(), expected);

  // The hash sees a difference of one event.
  InputRecording other = recording;
  other.events.erase(other.events.begin() + 3);
  Show changed;
  ASSERT_TRUE(changed.scene.play(other));
  run_headless(changed.scene, {});
  EXPECT_NE(changed.hashes(), expected);
}

TEST(Scene, ARecordingOfAnotherStepIsRefused) {
  Show show(nullptr, 1.0 / 50);
  const Result<void> wrong = show.scene.play(InputRecording{.num_steps = 5});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().format().find("step_s"), std::string::npos);
}

TEST(Scene, HeadlessEndsByItself) {
  Show show;
  const RunReport report = run_headless(show.scene, {.seconds = 2});
  EXPECT_EQ(report.frames, 120u);
  EXPECT_EQ(report.steps, 120u);
  int frames = 0;
  run_headless(show.scene, {.on_frame = [&](Scene&) { return ++frames < 5; }});
  EXPECT_EQ(frames, 5);
  show.scene.clock().set_paused(true);
  EXPECT_EQ(run_headless(show.scene, {.seconds = 1}).steps, 0u);
  const RunReport paced = run_headless(show.scene, {.seconds = 0.1, .paced = true});
  EXPECT_GE(paced.wall_s, 0.099);
}

TEST(Scene, DrawsBetweenSteps) {
  Show show;
  show.scene.push(axis_event(0, 1));
  for (int i = 0; i < 30; ++i) show.scene.advance(1.0 / 60);
  show.scene.advance(1.0 / 120);  // Half a step on.
  ASSERT_NEAR(show.scene.time().alpha, 0.5F, 1e-3F);
  const ecs::World& world = show.scene.world();
  const Actor& actor = world.get<Actor>(show.hero);
  const SkinnedMesh& mesh = world.get<SkinnedMesh>(show.hero);
  for (std::size_t j = 0; j < mesh.pose.rotations.size(); ++j) {
    const float whole = angle_between(actor.pose_before.rotations[j], actor.pose.rotations[j]);
    EXPECT_NEAR(angle_between(actor.pose_before.rotations[j], mesh.pose.rotations[j]), whole / 2, 1e-4F);
  }
  const Affine& before = world.get<Interpolated>(show.hero).world_from_entity_before;
  const Affine& now = world.get<WorldTransform>(show.hero).world_from_entity;
  EXPECT_NEAR(now.t.z - before.t.z, 2.0F / 60, 1e-5F);
  EXPECT_NEAR(mesh.morph_weights[0], (actor.morph_weights_before[0] + actor.morph_weights[0]) / 2, 1e-5F);
}

TEST(Scene, VelocitiesAndTrajectoriesFollow) {
  Show show;
  show.scene.push(axis_event(0, 1));
  for (int i = 0; i < 12; ++i) show.scene.step();
  const Actor& actor = show.scene.world().get<Actor>(show.hero);
  const Vec3 v = joint_velocity_model(actor, kHead, 1.0 / 60);
  EXPECT_LT(distance(v, (actor.model_from_joint[kHead].t - actor.model_from_joint_before[kHead].t) * 60.0F), 1e-5F);
  EXPECT_GT(length(v), 1e-4F);
  const Trajectory& trajectory = show.scene.world().get<Trajectory>(show.hero);
  ASSERT_EQ(trajectory.num_samples(), 4);
  EXPECT_NEAR(trajectory[3].position.z - trajectory[2].position.z, 3 * 2.0F / 60, 1e-5F);
}

TEST(Scene, SeveralScenesDoNotMeet) {
  Show a, b;
  a.scene.push(axis_event(0, 1));
  for (int i = 0; i < 10; ++i) a.scene.step(), b.scene.step();
  EXPECT_GT(a.scene.world().get<LocalTransform>(a.hero).get().translation.z, 0.3F);
  EXPECT_EQ(b.scene.world().get<LocalTransform>(b.hero).get().translation.z, 0);
}

TEST(Scene, AFrameAllocatesNothingOnceWarm) {
  ThreadPool pool(1);
  Show show(&pool);
  show.scene.world().resource<StepHashes>().all.reserve(1000);
  const auto frames = [&](int n) {
    for (int i = 0; i < n; ++i) {
      show.scene.push(axis_event(0, static_cast<float>(i % 3)));
      if (i % 10 == 3) show.scene.push(key_event('C', true)), show.scene.push(key_event('C', false));
      show.scene.advance(0.02);
    }
  };
  frames(40);
  test::wait_for_threads(pool);
  const test::AllocationMeter meter;
  frames(60);
  EXPECT_EQ(meter.allocations(), 0u);
}

// Ctrl-C while the third frame is drawn: the run ends as if the window had been closed.
TEST(Scene, AnInterruptEndsARunWell) {
  class Interrupted final : public Host {
   public:
    bool poll(std::vector<InputEvent>&) override { return true; }
    void draw(Scene&) override {
      if (++frames == 3) std::raise(SIGINT);
    }
    double now_s() override { return 0.01 * frames; }
    int frames = 0;
  } window;
  Scene scene;
  InterruptibleHost host(window);
  EXPECT_EQ(run_standalone(scene, host).frames, 3u);
}

TEST(SceneDeathTest, AHeadlessRunNeedsAnEnd) {
  Scene scene;
  EXPECT_DEATH(run_headless(scene, {}), "without an end");
}

}  // namespace
}  // namespace zoe::scene
