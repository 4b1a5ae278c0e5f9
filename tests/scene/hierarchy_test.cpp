// SPDX-License-Identifier: MIT
#include "zoe/scene/hierarchy.h"

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/scene/scene.h"

#include "support/allocation.h"
#include "support/pool.h"

namespace zoe::scene {
namespace {

Transform random_transform(Random& random) {
  return {{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
          normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 1}),
          {random.uniform(0.8F, 1.2F), random.uniform(0.8F, 1.2F), random.uniform(0.8F, 1.2F)}};
}

void expect_near(const Affine& a, const Affine& b, float tolerance) {
  EXPECT_LT(distance(a.x, b.x) + distance(a.y, b.y) + distance(a.z, b.z) + distance(a.t, b.t), tolerance);
}

// Random trees, edits, reparenting and deaths, against walking up from every entity.
TEST(Hierarchy, AgreesWithWalkingUp) {
  ecs::World world;
  Hierarchy hierarchy;
  ThreadPool pool(2);
  Random random(11);
  std::vector<Entity> entities;
  for (int round = 0; round < 60; ++round) {
    // Every second round only moves things: then nothing but what they say of themselves tells what
    // to compute.
    const bool structural = round % 2 == 0;
    for (int i = 0; structural && i < 8; ++i) {
      const Entity parent =
          entities.empty() || random.below(4) == 0 ? Entity{} : entities[random.below(entities.size())];
      entities.push_back(add_node(world, "node", random_transform(random), world.alive(parent) ? parent : Entity{}));
      if (random.below(3) == 0) world.add(entities.back(), Interpolated{});  // Another table.
    }
    for (int i = 0; i < 5; ++i) {
      const Entity entity = entities[random.below(entities.size())], other = entities[random.below(entities.size())];
      if (!world.alive(entity) || !world.alive(other)) continue;
      if (random.below(2) == 0) world.get<LocalTransform>(entity).set(random_transform(random));
      if (!structural) continue;
      if (random.below(8) == 0)
        world.destroy(entity);
      else if (chain(world, entity, other).empty() && random.below(2) == 0)
        set_parent(world, entity, other);
    }
    hierarchy.update(world, pool);
    std::size_t checked = 0;
    world.query<const WorldTransform>().each([&](Entity entity, const WorldTransform& place) {
      const Affine expected = compute_world(world, entity);
      expect_near(place.world_from_entity, expected, 1e-4F * (1 + length(expected.t)));
      ++checked;
    });
    EXPECT_EQ(checked, hierarchy.order().size());
  }
}

TEST(Hierarchy, ComputesOnlyWhatChanged) {
  ecs::World world;
  Hierarchy hierarchy;
  ThreadPool pool(0);
  const Entity a = add_node(world, "a"), b = add_node(world, "b", {}, a), c = add_node(world, "c", {}, b);
  const Entity other = add_node(world, "other");
  hierarchy.update(world, pool);
  EXPECT_EQ(hierarchy.num_updated(), 4u);
  hierarchy.update(world, pool);
  EXPECT_EQ(hierarchy.num_updated(), 0u);
  world.get<LocalTransform>(b).edit().translation = {1, 0, 0};
  hierarchy.update(world, pool);
  EXPECT_EQ(hierarchy.num_updated(), 2u);
  EXPECT_EQ(world.get<WorldTransform>(c).world_from_entity.t, (Vec3{1, 0, 0}));
  set_parent(world, c, other);
  hierarchy.update(world, pool);
  EXPECT_EQ(world.get<WorldTransform>(c).world_from_entity.t, (Vec3{0, 0, 0}));
  set_parent(world, c, b);  // The same component type is replaced: noticed, too.
  hierarchy.update(world, pool);
  EXPECT_EQ(world.get<WorldTransform>(c).world_from_entity.t, (Vec3{1, 0, 0}));
}

TEST(Hierarchy, KeepsThePlaceWhenAsked) {
  ecs::World world;
  const Entity a = add_node(world, "a", {{1, 2, 3}, from_axis_angle(Vec3{0, 1, 0}, 1.0F), {2, 2, 2}});
  const Entity b = add_node(world, "b", {{4, 5, 6}, from_axis_angle(Vec3{1, 0, 0}, 0.5F)});
  const Affine before = compute_world(world, b);
  set_parent(world, b, a, true);
  expect_near(compute_world(world, b), before, 1e-4F);
  EXPECT_EQ(parent_of(world, b), a);
  set_parent(world, b, {}, true);
  expect_near(compute_world(world, b), before, 1e-4F);
  EXPECT_FALSE(parent_of(world, b));
}

TEST(Hierarchy, FindsAndDestroysTrees) {
  ecs::World world;
  const Entity body = add_node(world, "body"), arm = add_node(world, "arm", {}, body);
  const Entity hand = add_node(world, "hand", {}, arm), other = add_node(world, "hand");
  EXPECT_EQ(find_by_name(world, "arm"), arm);
  EXPECT_EQ(find_child(world, body, "hand"), hand);
  EXPECT_FALSE(find_child(world, hand, "arm"));
  EXPECT_EQ(chain(world, body, hand), (std::vector<Entity>{body, arm, hand}));
  EXPECT_TRUE(chain(world, hand, body).empty());
  EXPECT_EQ(children_of(world, body), std::vector<Entity>{arm});
  EXPECT_EQ(describe(world), "body\n  arm\n    hand\nhand\n");
  destroy_tree(world, arm);
  EXPECT_TRUE(world.alive(body) && world.alive(other));
  EXPECT_FALSE(world.alive(arm) || world.alive(hand));
}

TEST(Hierarchy, ResultsDoNotDependOnThreadsAndNothingIsAllocated) {
  const auto run = [](int workers) {
    ecs::World world;
    Hierarchy hierarchy;
    ThreadPool pool(workers);
    Random random(3);
    std::vector<Entity> entities;
    for (int i = 0; i < 20000; ++i) {
      const Entity parent = i < 2 ? Entity{} : entities[random.below(entities.size())];
      entities.push_back(world.create(LocalTransform(random_transform(random)), WorldTransform{}));
      if (parent) world.add(entities.back(), Parent(parent));
    }
    hierarchy.update(world, pool);
    test::wait_for_threads(pool);
    const test::AllocationMeter meter;
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < entities.size(); i += 3)
        world.get<LocalTransform>(entities[i]).edit().translation.x += 1;
      hierarchy.update(world, pool);
    }
    EXPECT_EQ(meter.allocations(), 0u);
    // Trees this large are cut into pieces: nothing may be missed or come too early.
    world.query<const WorldTransform>().each([&](Entity entity, const WorldTransform& place) {
      const Affine expected = compute_world(world, entity);
      ASSERT_LT(distance(place.world_from_entity.t, expected.t), 1e-3F * (1 + length(expected.t)));
    });
    return hash_poses(world);
  };
  EXPECT_EQ(run(0), run(3));
}

TEST(HierarchyDeathTest, ThereAreNoCircles) {
  ecs::World world;
  const Entity a = add_node(world, "a"), b = add_node(world, "b", {}, a);
  EXPECT_DEATH(set_parent(world, a, b), "cannot be its own ancestor");
  EXPECT_DEATH(set_parent(world, a, a), "cannot be its own ancestor");
  world.add(a, Parent(b));
  Hierarchy hierarchy;
  ThreadPool pool(0);
  EXPECT_DEATH(hierarchy.update(world, pool), "circle of parents");
}

TEST(Transforms, InterpolationStaysRigid) {
  const Affine a = to_affine(Transform{{0, 0, 0}, {}});
  const Affine b = to_affine(Transform{{2, 0, 0}, from_axis_angle(Vec3{0, 1, 0}, 2.0F)});
  const Affine half = interpolate(a, b, 0.5F);
  expect_near(half, to_affine(Transform{{1, 0, 0}, from_axis_angle(Vec3{0, 1, 0}, 1.0F)}), 1e-5F);
  EXPECT_EQ(interpolate(a, b, 1), b);
  expect_near(interpolate(a, b, 0), a, 1e-6F);
}

}  // namespace
}  // namespace zoe::scene
