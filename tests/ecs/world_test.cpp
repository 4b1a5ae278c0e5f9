// SPDX-License-Identifier: MIT
#include "zoe/ecs/world.h"

#include <deque>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace zoe::ecs {
namespace {

struct Position {
  float x = 0, y = 0;
};
struct Tag {};
struct alignas(128) Wide {
  int value = 0;
};

// Counts living instances and notices use of ended ones.
struct Counted {
  static inline int alive = 0;
  const Counted* self = this;
  int value = 0;

  explicit Counted(int v) : value(v) { ++alive; }
  Counted(Counted&& other) noexcept : value(other.value) {
    EXPECT_EQ(other.self, &other);
    ++alive;
  }
  ~Counted() {
    EXPECT_EQ(self, this);
    self = nullptr;
    --alive;
  }
};

TEST(World, EntitiesHaveTheirComponents) {
  World world;
  const Entity a = world.create(Position{1, 2}, std::string("a"));
  const Entity b = world.create();
  EXPECT_TRUE(a);
  EXPECT_FALSE(Entity{});
  EXPECT_NE(a, b);
  EXPECT_EQ(world.num_entities(), 2u);
  EXPECT_EQ(world.get<Position>(a).y, 2);
  EXPECT_EQ(world.get<std::string>(a), "a");
  EXPECT_EQ(world.find<Position>(b), nullptr);
  EXPECT_FALSE(world.has<Tag>(a));
}

TEST(World, AStaleEntityIsNotItsSuccessor) {
  World world;
  const Entity old = world.create(Position{1, 0});
  world.destroy(old);
  EXPECT_FALSE(world.alive(old));
  EXPECT_EQ(world.find<Position>(old), nullptr);
  const Entity next = world.create(Position{2, 0});
  EXPECT_EQ(next.index, old.index) << "indices are used again";
  EXPECT_NE(next, old);
  EXPECT_EQ(world.find<Position>(old), nullptr);
  EXPECT_EQ(world.get<Position>(next).x, 2);
  world.destroy(old);  // Gone already: nothing happens.
  EXPECT_TRUE(world.alive(next));
  EXPECT_FALSE(world.alive(Entity{}));
  EXPECT_FALSE(world.alive(Entity{99, 1}));
}

TEST(World, AddReplacesAndRemoveForgets) {
  World world;
  const Entity entity = world.create(std::string("name"));
  world.add(entity, Position{1, 1});
  world.add(entity, Position{5, 1});
  EXPECT_EQ(world.get<Position>(entity).x, 5);
  EXPECT_EQ(world.get<std::string>(entity), "name");
  EXPECT_TRUE(world.remove<Position>(entity));
  EXPECT_FALSE(world.remove<Position>(entity));
  EXPECT_FALSE(world.has<Position>(entity));
  EXPECT_EQ(world.get<std::string>(entity), "name");
}

// Adding moves the entity to another table while the argument still lies in the old one.
TEST(World, AComponentMayBeAddedFromInsideTheWorld) {
  World world;
  const Entity a = world.create(std::string("a text too long for the small string"), Position{});
  for (int i = 0; i < 100; ++i) {
    const Entity b = world.create(Tag{});
    world.add(b, world.get<std::string>(a));
    EXPECT_EQ(world.get<std::string>(b), world.get<std::string>(a));
  }
}

TEST(World, EveryComponentEndsOnce) {
  ASSERT_EQ(Counted::alive, 0);
  {
    World world;
    std::vector<Entity> entities;
    for (int i = 0; i < 100; ++i) entities.push_back(world.create(Counted(i), std::to_string(i)));
    EXPECT_EQ(Counted::alive, 100);
    for (int i = 0; i < 100; i += 3) world.destroy(entities[static_cast<std::size_t>(i)]);
    EXPECT_EQ(Counted::alive, 66);
    world.add(entities[1], Counted(-1));
    world.add(entities[1], Tag{});
    EXPECT_EQ(Counted::alive, 66);
    EXPECT_TRUE(world.remove<Counted>(entities[2]));
    EXPECT_EQ(Counted::alive, 65);
    for (int i = 4; i < 100; ++i) {
      if (i % 3 == 0) continue;
      EXPECT_EQ(world.get<Counted>(entities[static_cast<std::size_t>(i)]).value, i);
      EXPECT_EQ(world.get<std::string>(entities[static_cast<std::size_t>(i)]), std::to_string(i));
    }
    World moved = std::move(world);
    EXPECT_EQ(moved.get<Counted>(entities[1]).value, -1);
    EXPECT_EQ(Counted::alive, 65);
    moved.clear();
    EXPECT_EQ(Counted::alive, 0);
    EXPECT_EQ(moved.num_entities(), 0u);
    moved.create(Counted(1));
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(World, TakesAnyMovableType) {
  World world;
  struct Reference {
    const int& value;
  };
  const int seven = 7;
  const Entity entity = world.create(std::make_unique<int>(3), std::deque<int>{1, 2}, Reference{seven}, Wide{4});
  for (int i = 0; i < 50; ++i) world.create(std::make_unique<int>(i), std::deque<int>{i}, Reference{i}, Wide{i});
  EXPECT_EQ(*world.get<std::unique_ptr<int>>(entity), 3);
  EXPECT_EQ(world.get<std::deque<int>>(entity).size(), 2u);
  EXPECT_EQ(&world.get<Reference>(entity).value, &seven);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&world.get<Wide>(entity)) % alignof(Wide), 0u);
}

TEST(World, WorldsShareNothing) {
  World a, b;
  const Entity in_a = a.create(Position{1, 0});
  a.set_resource(std::string("a"));
  EXPECT_EQ(b.num_entities(), 0u);
  EXPECT_FALSE(b.alive(in_a));
  EXPECT_EQ(b.find_resource<std::string>(), nullptr);
  EXPECT_EQ(a.resource<std::string>(), "a");
  a.set_resource(std::string("other"));
  EXPECT_EQ(a.resource<std::string>(), "other");
}

TEST(World, StructureVersionTellsOfMoves) {
  World world;
  const Entity entity = world.create(Position{});
  std::uint64_t version = world.structure_version();
  world.get<Position>(entity).x = 3;
  EXPECT_EQ(world.structure_version(), version);
  world.add(entity, Position{4, 4});  // Replaced.
  EXPECT_NE(world.structure_version(), version);
  version = world.structure_version();
  world.add(entity, Tag{});
  EXPECT_NE(world.structure_version(), version);
  version = world.structure_version();
  world.destroy(entity);
  EXPECT_NE(world.structure_version(), version);
}

using WorldDeathTest = ::testing::Test;

TEST(WorldDeathTest, CallersBugsAreNamed) {
  World world;
  const Entity entity = world.create(Position{});
  EXPECT_DEATH(world.get<Tag>(entity), "entity 0 has no .*Tag");
  EXPECT_DEATH(world.resource<Tag>(), "no .*Tag was set");
  world.destroy(entity);
  EXPECT_DEATH(world.get<Position>(entity), "entity 0 does not exist");
  EXPECT_DEATH(world.add(entity, Tag{}), "entity 0 does not exist");
}

}  // namespace
}  // namespace zoe::ecs
