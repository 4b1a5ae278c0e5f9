// SPDX-License-Identifier: MIT
#include "zoe/ecs/commands.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "zoe/ecs/query.h"

#include "support/allocation.h"

namespace zoe::ecs {
namespace {

struct Number {
  int value = 0;
};
struct Link {
  Entity to;
};
template <typename F>
void visit_entities(Link& link, F&& f) {
  f(link.to);
}

TEST(Commands, NothingHappensBeforeApply) {
  World world;
  const Entity entity = world.create(Number{1});
  Commands commands;
  commands.add(entity, std::string("late"));
  commands.create(Number{2});
  EXPECT_FALSE(commands.empty());
  EXPECT_EQ(world.num_entities(), 1u);
  EXPECT_FALSE(world.has<std::string>(entity));
  commands.apply(world);
  EXPECT_TRUE(commands.empty());
  EXPECT_EQ(world.num_entities(), 2u);
  EXPECT_EQ(world.get<std::string>(entity), "late");
}

TEST(Commands, KeepsTheOrder) {
  World world;
  const Entity entity = world.create(Number{1});
  Commands commands;
  commands.add(entity, Number{2});
  commands.remove<Number>(entity);
  commands.add(entity, Number{3});
  commands.apply(world);
  EXPECT_EQ(world.get<Number>(entity).value, 3);
  commands.destroy(entity);
  commands.add(entity, Number{4});  // Gone by then: dropped.
  commands.destroy(entity);
  commands.apply(world);
  EXPECT_FALSE(world.alive(entity));
  EXPECT_EQ(world.num_entities(), 0u);
}

TEST(Commands, PromisedEntitiesAreTargetsAndLinks) {
  World world;
  Commands commands;
  // The first refers to the second, which is promised after it.
  const Entity a = commands.create(Number{1});
  const Entity b = commands.create(Number{2}, Link{a});
  commands.add(a, Link{b});
  const Entity gone = commands.create(Number{3});
  commands.destroy(gone);
  commands.apply(world);
  EXPECT_EQ(world.num_entities(), 2u);
  world.query<const Number, const Link>().each([&](Entity entity, const Number& number, const Link& link) {
    EXPECT_FALSE(is_pending(link.to));
    EXPECT_EQ(world.get<Number>(link.to).value, 3 - number.value);
    EXPECT_EQ(world.get<Link>(link.to).to, entity);
  });
}

TEST(Commands, WhatIsNotAppliedEndsToo) {
  const auto shared = std::make_shared<int>(1);
  {
    World world;
    Commands commands;
    const Entity entity = world.create();
    commands.add(entity, shared);
    commands.destroy(entity);
    commands.add(entity, shared);  // Dropped on apply.
    EXPECT_EQ(shared.use_count(), 3);
    commands.apply(world);
    EXPECT_EQ(shared.use_count(), 1);
    commands.create(shared);
    commands.clear();
    EXPECT_EQ(shared.use_count(), 1);
    commands.create(shared);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Commands, BigAndOveralignedComponents) {
  struct alignas(64) Big {
    unsigned char bytes[40000];
  };
  World world;
  Commands commands;
  for (int i = 0; i < 3; ++i) {
    auto big = std::make_unique<Big>();
    big->bytes[39999] = static_cast<unsigned char>(i);
    commands.create(Number{i}, std::move(*big));
  }
  commands.apply(world);
  world.query<const Number, const Big>().each(
      [](const Number& number, const Big& big) { EXPECT_EQ(big.bytes[39999], number.value); });
}

TEST(Commands, AllocatesNothingOnceWarm) {
  World world;
  Commands commands;
  const auto churn = [&] {
    for (int i = 0; i < 500; ++i) commands.create(Number{i}, Link{});
    commands.apply(world);
    world.query<const Number>().each([&](Entity entity, const Number& number) {
      if (number.value % 2 == 0) commands.add(entity, std::make_pair(1, 2));
      if (number.value % 2 == 1) commands.remove<Link>(entity);
    });
    commands.apply(world);
    world.query<const Number>().each([&](Entity entity, const Number&) { commands.destroy(entity); });
    commands.apply(world);
  };
  churn();
  churn();
  const test::AllocationMeter meter;
  for (int i = 0; i < 5; ++i) churn();
  EXPECT_EQ(meter.allocations(), 0u);
  EXPECT_EQ(world.num_entities(), 0u);
}

}  // namespace
}  // namespace zoe::ecs
