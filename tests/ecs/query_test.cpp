// SPDX-License-Identifier: MIT
#include "zoe/ecs/query.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"

#include "support/allocation.h"
#include "support/pool.h"

namespace zoe::ecs {
namespace {

struct A {
  int value = 0;
};
struct B {
  int value = 0;
};
struct Hidden {};

// Entities 0..n-1 with A; every second also B, every third Hidden.
std::vector<Entity> make_some(World& world, int n) {
  std::vector<Entity> entities;
  for (int i = 0; i < n; ++i) {
    entities.push_back(world.create(A{i}));
    if (i % 2 == 0) world.add(entities.back(), B{10 * i});
    if (i % 3 == 0) world.add(entities.back(), Hidden{});
  }
  return entities;
}

TEST(Query, VisitsThoseThatHaveAllTerms) {
  World world;
  make_some(world, 12);
  std::vector<int> seen;
  world.query<const A, const B>().each([&](const A& a, const B& b) {
    EXPECT_EQ(b.value, 10 * a.value);
    seen.push_back(a.value);
  });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<int>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ((world.query<With<A>, Without<B>>().count()), 6u);
  EXPECT_EQ((world.query<const A, With<Hidden>, Without<B>>().count()), 2u);  // 3 and 9.
  EXPECT_EQ((world.query<const std::string>().count()), 0u);
  EXPECT_FALSE((world.query<const std::string>().first()));
}

TEST(Query, GivesEntitiesAndWrites) {
  World world;
  const std::vector<Entity> entities = make_some(world, 12);
  world.query<A, With<B>>().each([&](Entity entity, A& a) {
    EXPECT_EQ(entity, entities[static_cast<std::size_t>(a.value)]);
    a.value = -1;
  });
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(world.get<A>(entities[i]).value, i % 2 == 0 ? -1 : static_cast<int>(i));
  }
}

TEST(Query, MaybeIsNullWhereThereIsNone) {
  World world;
  make_some(world, 12);
  int with = 0, without = 0;
  world.query<const A, Maybe<const B>>().each([&](const A& a, const B* b) {
    EXPECT_EQ(b != nullptr, a.value % 2 == 0);
    ++(b != nullptr ? with : without);
  });
  EXPECT_EQ(with, 6);
  EXPECT_EQ(without, 6);
  world.query<const A, Maybe<B>>().spans([](std::span<const Entity> entities, std::span<const A> a, std::span<B> b) {
    EXPECT_EQ(a.size(), entities.size());
    EXPECT_TRUE(b.empty() || b.size() == a.size());
  });
}

TEST(Query, SpansAreContiguousAndWhole) {
  World world;
  for (int i = 0; i < 1000; ++i) world.create(A{i}, B{i});
  int calls = 0;
  world.query<A, const B>().spans([&](std::span<const Entity> entities, std::span<A> a, std::span<const B> b) {
    ++calls;
    ASSERT_EQ(entities.size(), 1000u);
    for (std::size_t i = 0; i < 1000; ++i) {
      EXPECT_EQ(a[i].value, static_cast<int>(i));
      EXPECT_EQ(b[i].value, static_cast<int>(i));
    }
  });
  EXPECT_EQ(calls, 1);
}

TEST(Query, ParallelVisitsEveryRowOnceWhateverTheGrain) {
  for (const int workers : {0, 3}) {
    ThreadPool pool(workers);
    for (const std::size_t grain : {1u, 7u, 64u, 100000u}) {
      World world;
      make_some(world, 500);
      world.query<A>().parallel_each(pool, grain, [](A& a) { a.value += 1000; });
      world.query<A, const B>().parallel_spans(pool, grain,
                                               [&](std::span<const Entity>, std::span<A> a, std::span<const B> b) {
                                                 EXPECT_LE(a.size(), grain);
                                                 for (std::size_t i = 0; i < a.size(); ++i) a[i].value += b[i].value;
                                               });
      std::vector<int> values;
      world.query<const A>().each([&](const A& a) { values.push_back(a.value); });
      std::sort(values.begin(), values.end());
      std::vector<int> expected;
      for (int i = 0; i < 500; ++i) expected.push_back(i + 1000 + (i % 2 == 0 ? 10 * i : 0));
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(values, expected);
    }
  }
}

TEST(Query, AConstWorldIsRead) {
  World world;
  make_some(world, 6);
  const World& constant = world;
  int sum = 0;
  constant.query<const A>().each([&](const A& a) { sum += a.value; });
  EXPECT_EQ(sum, 15);
}

TEST(Query, AllocatesNothing) {
  World world;
  make_some(world, 200);
  ThreadPool pool(1);
  world.query<A>().parallel_each(pool, 16, [](A& a) { ++a.value; });
  test::wait_for_threads(pool);
  const test::AllocationMeter meter;
  for (int i = 0; i < 10; ++i) {
    world.query<A, Maybe<B>, Without<Hidden>>().each([](A& a, B* b) { a.value += b != nullptr ? b->value : 1; });
    world.query<A>().parallel_each(pool, 16, [](A& a) { ++a.value; });
  }
  EXPECT_EQ(meter.allocations(), 0u);
}

using QueryDeathTest = ::testing::Test;

TEST(QueryDeathTest, StructureMustNotChangeMeanwhile) {
  World world;
  const Entity entity = world.create(A{1});
  EXPECT_DEATH(world.query<const A>().each([&](const A&) { world.create(A{2}); }), "record the change in Commands");
  EXPECT_DEATH(world.query<const A>().each([&](const A&) { world.destroy(entity); }), "record the change in Commands");
}

}  // namespace
}  // namespace zoe::ecs
