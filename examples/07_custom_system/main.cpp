// SPDX-License-Identifier: MIT
// Example 7. Custom systems that run in parallel: a flock that keeps together and follows a recorded stick. The
// result is the same on one thread and on four, and at any frame rate.
#include <cstdio>

#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/scene/run.h"

namespace {

using namespace zoe::scene;

struct Velocity {
  zoe::Vec3 m_s;
};
struct Desired {
  zoe::Vec3 m_s;
};
struct Fear {
  float level = 0;
};

constexpr float kStepS = 1.0F / 60;

void add_flock_systems(zoe::ecs::Schedule& schedule) {
  using zoe::ecs::Scope;
  // 1. Reads all positions and writes desired velocities, each independently, so in parallel.
  using SteerScope = Scope<Desired, const WorldTransform, const Input>;
  schedule.add<Desired, const WorldTransform, const Input>("steer", [](SteerScope& scope) {
    const zoe::Vec3 stick{scope.resource<const Input>().axis(0), 0, scope.resource<const Input>().axis(1)};
    const auto flock = scope.query<const WorldTransform, zoe::ecs::With<Desired>>();
    scope.query<Desired, const WorldTransform>().parallel_each(
        scope.pool(), 16, [&](Desired& desired, const WorldTransform& own) {
          zoe::Vec3 away, to_middle;
          flock.each([&](const WorldTransform& other) {
            const zoe::Vec3 gap = own.world_from_entity.t - other.world_from_entity.t;
            const float distance_m = length(gap);
            if (distance_m > 0 && distance_m < 0.5F) away += gap * ((0.5F - distance_m) / distance_m * 8.0F);
            to_middle += gap * -0.002F;
          });
          desired.m_s = stick * 2.0F + away + to_middle;
        });
  });
  // 2. Uses nothing that "steer" uses: runs in parallel with it.
  schedule.add<Fear>("calm down",
                     [](Scope<Fear>& scope) { scope.query<Fear>().each([](Fear& fear) { fear.level *= 0.99F; }); });
  // 3. Reads what "steer" wrote: runs after it.
  using MoveScope = Scope<LocalTransform, Velocity, const Desired>;
  schedule.add<LocalTransform, Velocity, const Desired>("move", [](MoveScope& scope) {
    scope.query<LocalTransform, Velocity, const Desired>().parallel_each(
        scope.pool(), 64, [](LocalTransform& local, Velocity& velocity, const Desired& desired) {
          velocity.m_s = lerp(velocity.m_s, desired.m_s, 0.1F);
          local.edit().translation += velocity.m_s * kStepS;
        });
  });
}

zoe::Hash128 run_flock(zoe::ThreadPool& pool, double frame_s, const InputRecording& recording, zoe::Vec3& middle) {
  Scene scene({.pool = &pool});
  add_flock_systems(scene.fixed(Phase::kControl));
  zoe::Random random(7);
  for (int i = 0; i < 200; ++i) {
    const Entity bird = add_node(scene.world(), "bird", {{random.uniform(-2, 2), 0, random.uniform(-2, 2)}, {}});
    scene.world().add(bird, Velocity{});
    scene.world().add(bird, Desired{});
    scene.world().add(bird, Fear{1});
  }
  (void)scene.play(recording);
  run_headless(scene, {.frame_s = frame_s});
  middle = {};
  scene.world().query<const WorldTransform>().each(
      [&](const WorldTransform& p) { middle += p.world_from_entity.t / 200.0F; });
  return hash_poses(scene.world());
}

}  // namespace

int main() {
  zoe::ecs::Schedule shown;
  add_flock_systems(shown);
  for (const auto& wave : shown.waves()) {
    std::printf("at the same time:");
    for (const std::string& name : wave) std::printf(" \"%s\"", name.c_str());
    std::printf("\n");
  }

  // A stick pushed to the right, and after a second forwards: normally from read_recording(file).
  const InputRecording recording{.num_steps = 120,
                                 .events = {{0, axis_event(0, 1)}, {60, axis_event(0, 0)}, {60, axis_event(1, 1)}}};
  zoe::ThreadPool one(0), four(3);
  zoe::Vec3 middle;
  const zoe::Hash128 a = run_flock(one, 1.0 / 60, recording, middle);
  const zoe::Hash128 b = run_flock(four, 1.0 / 24, recording, middle);
  std::printf("the flock's middle: (%.2f %.2f %.2f); one thread and four: %s\n", middle.x, middle.y, middle.z,
              a == b ? "the same to the last bit" : "DIFFERENT");
  return a == b ? 0 : 1;
}
