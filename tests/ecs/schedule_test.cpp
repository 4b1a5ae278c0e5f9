// SPDX-License-Identifier: MIT
#include "zoe/ecs/schedule.h"

#include <atomic>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"

#include "support/allocation.h"
#include "support/pool.h"

namespace zoe::ecs {
namespace {

struct Position {
  float value = 0;
};
struct Velocity {
  float value = 0;
};
struct Age {
  int steps = 0;
};
struct Clock {
  float dt_s = 0.1F;
};
using Waves = std::vector<std::vector<std::string>>;

const auto kNothing = [](auto&) {};

TEST(Schedule, OnlyConflictsKeepSystemsApart) {
  Schedule schedule;
  schedule.add<Position>("a", kNothing);
  schedule.add<Velocity>("b", kNothing);                        // Independent of a.
  schedule.add<const Position, const Velocity>("c", kNothing);  // Reads what a and b write.
  schedule.add<const Position>("d", kNothing);                  // Reads beside c.
  schedule.add<Age>("e", kNothing);                             // Independent of all.
  schedule.add<Position>("f", kNothing);                        // Writes what c and d read.
  EXPECT_EQ(schedule.waves(), (Waves{{"a", "b", "e"}, {"c", "d"}, {"f"}}));
}

TEST(Schedule, BarriersAndExclusiveSystemsSeparate) {
  Schedule schedule;
  schedule.add<Position>("a", kNothing).barrier().add<Velocity>("b", kNothing);
  schedule.add_exclusive("alone", [](World&) {});
  schedule.add<Age>("c", kNothing);
  EXPECT_EQ(schedule.waves(), (Waves{{"a"}, {"b"}, {"alone"}, {"c"}}));
}

// Each waits for the other: this ends only if they run at the same time.
TEST(Schedule, IndependentSystemsRunTogether) {
  World world;
  ThreadPool pool(1);
  std::atomic<int> arrived{0};
  const auto meet = [&](auto&) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  };
  Schedule schedule;
  schedule.add<Position>("a", meet).add<Velocity>("b", meet);
  schedule.run(world, pool);
  EXPECT_EQ(arrived, 2);
}

TEST(Schedule, SystemsSeeWhatTheyDeclared) {
  World world;
  world.set_resource(Clock{});
  const Entity entity = world.create(Position{1}, Velocity{2});
  Schedule schedule;
  schedule.add<Position, const Velocity, const Clock>("move", [](Scope<Position, const Velocity, const Clock>& scope) {
    const float dt_s = scope.resource<const Clock>().dt_s;
    scope.query<Position, const Velocity>().each([&](Position& p, const Velocity& v) { p.value += v.value * dt_s; });
  });
  float seen = 0;
  schedule.add<const Position>("look", [&](Scope<const Position>& scope) {
    seen = scope.find<const Position>(entity)->value;
    EXPECT_TRUE(scope.alive(entity));
  });
  schedule.run(world);
  EXPECT_FLOAT_EQ(seen, 1.2F);
}

TEST(Schedule, CommandsApplyAtBarriersInTheOrderOfSystems) {
  World world;
  std::vector<std::size_t> counts;
  Schedule schedule;
  const auto count = [&](auto& scope) { counts.push_back(scope.template query<const Age>().count()); };
  schedule.add<Position>("first", [](auto& scope) { scope.commands().create(Age{1}); });
  schedule.add<Velocity>("second", [](auto& scope) { scope.commands().create(Age{2}); });
  schedule.add<const Age>("before", count).barrier().add<const Age>("after", count);
  schedule.run(world);
  EXPECT_EQ(counts, (std::vector<std::size_t>{0, 2}));
  std::vector<int> order;
  world.query<const Age>().each([&](const Age& age) { order.push_back(age.steps); });
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

// Births, deaths, arithmetic that does not commute, and loops inside systems; bits must not depend on threads.
std::vector<float> simulate(ThreadPool& pool, int steps) {
  World world;
  world.set_resource(Clock{});
  const Random random(5);
  for (std::uint64_t i = 0; i < 300; ++i) {
    Random own = random.split(i);
    const Entity entity = world.create(Position{own.uniform()}, Velocity{own.uniform(-1, 1)});
    if (i % 4 == 0) world.add(entity, Age{});
  }
  Schedule schedule;
  schedule.add<Position, const Velocity, const Clock>("move", [](Scope<Position, const Velocity, const Clock>& scope) {
    const float dt_s = scope.resource<const Clock>().dt_s;
    scope.query<Position, const Velocity>().parallel_each(
        scope.pool(), 16, [&](Position& p, const Velocity& v) { p.value += std::sin(v.value) * dt_s; });
  });
  schedule.add<Age>("age", [](Scope<Age>& scope) { scope.query<Age>().each([](Age& age) { ++age.steps; }); });
  schedule.add<Velocity, const Position>("bounce", [](Scope<Velocity, const Position>& scope) {
    scope.query<Velocity, const Position>().parallel_each(scope.pool(), 16, [](Velocity& v, const Position& p) {
      if (std::abs(p.value) > 1) v.value *= -0.9F;
    });
  });
  schedule.add<const Age, const Position>("split", [](Scope<const Age, const Position>& scope) {
    scope.query<const Age, const Position>().each([&](Entity entity, const Age& age, const Position& p) {
      if (age.steps % 7 == 6) scope.commands().create(Position{p.value}, Velocity{p.value * 0.5F});
      if (age.steps > 20) scope.commands().destroy(entity);
    });
  });
  schedule.add<const Velocity>("settle", [](Scope<const Velocity>& scope) {
    scope.query<const Velocity, Without<Age>>().each([&](Entity entity, const Velocity& v) {
      if (std::abs(v.value) < 0.05F) scope.commands().add(entity, Age{});
    });
  });
  for (int step = 0; step < steps; ++step) schedule.run(world, pool);
  std::vector<float> state;
  world.query<const Position, const Velocity>().each([&](Entity entity, const Position& p, const Velocity& v) {
    state.push_back(static_cast<float>(entity.index));
    state.push_back(p.value);
    state.push_back(v.value);
  });
  return state;
}

TEST(Schedule, ResultsDoNotDependOnThreads) {
  ThreadPool alone(0), three(3);
  const std::vector<float> expected = simulate(alone, 60);
  EXPECT_GT(expected.size(), 600u);
  for (int repeat = 0; repeat < 3; ++repeat) EXPECT_EQ(simulate(three, 60), expected);
}

TEST(Schedule, AllocatesNothingOnceWarm) {
  World world;
  for (int i = 0; i < 200; ++i) world.create(Position{}, Velocity{1});
  ThreadPool pool(1);
  Schedule schedule;
  schedule.add<Position, const Velocity>("move", [](Scope<Position, const Velocity>& scope) {
    scope.query<Position, const Velocity>().parallel_each(scope.pool(), 32,
                                                          [](Position& p, const Velocity& v) { p.value += v.value; });
  });
  schedule.add<Age>("flicker", [](Scope<Age>& scope) {
    scope.query<Age>().each([&](Entity entity, Age&) { scope.commands().destroy(entity); });
    scope.commands().create(Age{});
  });
  for (int i = 0; i < 5; ++i) schedule.run(world, pool);
  test::wait_for_threads(pool);
  const test::AllocationMeter meter;
  for (int i = 0; i < 20; ++i) schedule.run(world, pool);
  EXPECT_EQ(meter.allocations(), 0u);
  EXPECT_EQ(world.query<const Age>().count(), 1u);
}

using ScheduleDeathTest = ::testing::Test;

TEST(ScheduleDeathTest, ASystemMustNotChangeTheStructure) {
  World world;
  ThreadPool pool(0);
  Schedule schedule;
  schedule.add<Position>("smuggler", [&](auto&) { world.create(Position{}); });
  EXPECT_DEATH(schedule.run(world, pool), "record the change in Commands");
}

}  // namespace
}  // namespace zoe::ecs
