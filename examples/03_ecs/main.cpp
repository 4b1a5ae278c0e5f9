// SPDX-License-Identifier: MIT
// Example 3. Entities and components alone: a sun, planets that orbit it, moons attached to planets.
#include <cstdio>

#include "zoe/scene/scene.h"

namespace {

using namespace zoe::scene;

// A component is any type.
struct Spin {
  float rad_per_s = 1;
};

void print_place(const zoe::ecs::World& world, const char* name) {
  const zoe::Vec3 at = world.get<WorldTransform>(find_by_name(world, name)).world_from_entity.t;
  std::printf("  %-6s (%6.2f %6.2f %6.2f)\n", name, at.x, at.y, at.z);
}

}  // namespace

int main() {
  Scene scene;
  zoe::ecs::World& world = scene.world();

  // 1. Entities with parents. Arms turn, planets are at their ends.
  const Entity sun = add_node(world, "sun");
  const Entity arm = add_node(world, "arm", {}, sun);
  const Entity earth = add_node(world, "earth", {{10, 0, 0}, {}}, arm);
  const Entity moon = add_node(world, "moon", {{1, 0, 0}, {}}, earth);
  world.add(arm, Spin{3.14159265F / 4});
  world.add(earth, Spin{3.14159265F});

  // 2. A system declares what it writes and reads. The schedule runs it in every fixed step.
  using SpinScope = zoe::ecs::Scope<LocalTransform, const Spin, const Time>;
  scene.fixed(Phase::kControl).add<LocalTransform, const Spin, const Time>("spin", [](SpinScope& scope) {
    const auto dt_s = static_cast<float>(scope.resource<const Time>().step_s);
    scope.query<LocalTransform, const Spin>().each([&](LocalTransform& local, const Spin& spin) {
      local.edit().rotation = from_axis_angle(zoe::Vec3{0, 1, 0}, spin.rad_per_s * dt_s) * local.get().rotation;
    });
  });

  // 3. Two seconds: a quarter of an orbit, one rotation of the earth.
  for (int i = 0; i < 120; ++i) scene.step();
  std::printf("after 2 s:\n");
  for (const char* name : {"sun", "earth", "moon"}) print_place(world, name);

  // 4. Changes while visiting are recorded and applied afterwards.
  zoe::ecs::Commands commands;
  world.query<const Name, zoe::ecs::With<Spin>>().each(
      [&](Entity entity, const Name&) { commands.remove<Spin>(entity); });
  commands.apply(world);
  set_parent(world, moon, sun, true);  // Keeps the moon's world transform.
  scene.step();
  std::printf("%zu entities turn; the moon is attached to the sun:\n%s", world.query<const Spin>().count(),
              describe(world).c_str());
  destroy_tree(world, arm);
  std::printf("without the arm: %zu entities, the earth is %s\n", world.num_entities(),
              world.alive(earth) ? "there" : "gone");
  return 0;
}
