// SPDX-License-Identifier: MIT
// Crowds whose characters come and go, of several models, and long runs of them. Longer runs on demand:
//   ZOE_ROLLBACKS=10000 ZOE_SOAK_HOURS=10 test_control --gtest_filter='*Spawn*.*Long*'
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/control/crowd.h"
#include "zoe/control/load.h"
#include "zoe/core/thread_pool.h"

#include "control/every_type.h"
#include "control/random_history.h"
#include "control/toy_controller.h"
#include "support/allocation.h"

namespace zoe::control {
namespace {

double number_of(const char* variable, double otherwise) {
  const char* word = std::getenv(variable);
  return word != nullptr ? std::atof(word) : otherwise;
}

ControllerPtr shipped(const char* name) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  return load_controller(std::filesystem::path(source != nullptr ? source : ".") / "models" / name).value();
}

class EverySpawn : public testing::TestWithParam<const char*> {
 protected:
  const ControllerPtr& controller() const { return test::controller_of(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Types, EverySpawn, testing::ValuesIn(test::kEveryType), test::NameOfType());

// Whatever happened at its place before, on any ground.
TEST_P(EverySpawn, ANewCharacterIsLikeAFreshOne) {
  ThreadPool pool(1);
  CrowdOptions options{.ground = test::hills()};
  options.avoidance.emplace();
  options.detail = DetailOptions{.half_from_m = 2, .third_from_m = 5};
  Crowd crowd({{controller(), 3}}, options);
  std::vector<Intent> intents(3);
  Random random(3);
  const auto live = [&](int num_ticks) {
    for (int tick = 0; tick < num_ticks; ++tick) {
      if (tick % 20 == 0)
        for (Intent& intent : intents) intent = test::random_intent(random);
      crowd.tick(intents, test::random_dt_s(random), pool);
    }
  };
  EXPECT_EQ(crowd.num_alive(), 0);
  live(3);  // Of nobody.
  ASSERT_EQ(crowd.spawn({}), 0);
  const std::uint64_t first = crowd.hash();
  ASSERT_EQ(crowd.spawn({.root = {{3, 0, 3}, 1}}), 1);
  for (int round = 0; round < 4; ++round) {
    live(100);
    crowd.despawn(1);
    EXPECT_FALSE(crowd.is_alive(1));
    live(20);
    const CrowdCharacter character{.root = {{1, 0, 2}, 0.5F}, .proportions = Proportions::uniform(1.2F)};
    ASSERT_EQ(crowd.spawn(character), 1);
    const auto fresh = controller()->make_state(
        {.root = character.root, .proportions = character.proportions, .lane = 1, .ground = options.ground});
    EXPECT_EQ(crowd.state(1).hash(), fresh->hash()) << round;
    EXPECT_EQ(test::bits_of(crowd.state(1)), test::bits_of(*fresh)) << round;
  }
  crowd.despawn(1);
  crowd.despawn(0);
  crowd.spawn({});
  EXPECT_EQ(crowd.hash(), first) << "places that are free leave no trace";
}

TEST(Spawn, PlacesAreCountedByModel) {
  const auto toy = std::make_shared<test::ToyController>(60.0), slow = std::make_shared<test::ToyController>(30.0);
  Crowd crowd({{toy, 2}, {slow, 1}});
  EXPECT_EQ(crowd.size(), 3);
  EXPECT_EQ(crowd.spawn({}, 1), 2);
  EXPECT_EQ(crowd.spawn({}, 1), std::nullopt);
  EXPECT_EQ(crowd.spawn({}), 0);
  EXPECT_EQ(crowd.spawn({}), 1);
  EXPECT_EQ(crowd.spawn({}), std::nullopt);
  crowd.despawn(0);
  EXPECT_EQ(crowd.num_alive(), 2);
  EXPECT_EQ(&crowd.controller_of(2), slow.get());
  EXPECT_EQ(crowd.spawn({.root = {{std::nanf(""), 0, 0}, 0}}), 0) << "a position that is no number";
  EXPECT_EQ(crowd.state(0).root().position, Vec3{});
  EXPECT_DEATH(crowd.despawn(3), "no character");
}

// Both shipped models in one crowd tick as in crowds of their own, and nothing allocates.
TEST(Spawn, SeveralModelsInOneCrowd) {
  const ControllerPtr walker = shipped("walker"), dog = shipped("dog");
  ThreadPool pool(0);  // Others allocate their names when they begin.
  Crowd mixed({{walker, 3}, {dog, 2}});
  std::vector<PlanarRoot> roots(5);
  for (std::size_t i = 0; i < 5; ++i) roots[i] = {{2 * static_cast<float>(i), 0, 0}, 0};
  const auto alone = walker->make_state({.root = roots[1], .lane = 1}),
             alone_dog = dog->make_state({.root = roots[4], .lane = 4});
  std::vector<Intent> intents(5);
  const zoe::test::AllocationMeter meter;
  for (int i = 0; i < 5; ++i) mixed.spawn({.root = roots[static_cast<std::size_t>(i)]}, i < 3 ? 0 : 1);
  for (int tick = 0; tick < 200; ++tick) {
    for (std::size_t i = 0; i < 5; ++i)
      intents[i] = Intent::move({0.1F * static_cast<float>(i), 0, tick % 90 < 60 ? 1.2F : 0.0F});
    mixed.tick(intents, 1.0 / 60, pool);
    walker->tick(*alone, intents[1], 1.0 / 60);
    dog->tick(*alone_dog, intents[4], 1.0 / 60);
    if (tick == 50) mixed.despawn(0);
    if (tick == 90) mixed.spawn({.root = {{-4, 0, 0}, 0}});
  }
  EXPECT_EQ(meter.allocations(), 0U);
  EXPECT_EQ(test::bits_of(mixed.state(1)), test::bits_of(*alone));
  EXPECT_EQ(test::bits_of(mixed.state(4)), test::bits_of(*alone_dog));
  Crowd other({{walker, 3}, {dog, 2}}), fewer({{walker, 5}});
  EXPECT_TRUE(other.restore_state(mixed.save_state()));
  EXPECT_EQ(other.hash(), mixed.hash());
  EXPECT_EQ(other.num_alive(), 5);
  EXPECT_FALSE(fewer.restore_state(mixed.save_state()));
}

// Each keeps its own style while the intent has none.
TEST(Spawn, EachHasItsOwnStyle) {
  const ControllerPtr mann = test::controller_of("mann");
  ThreadPool pool(0);
  Crowd crowd({{mann, 2}});
  crowd.spawn({.styles = {1, 0}});
  crowd.spawn({.styles = {0, 1}});
  const auto calm = mann->make_state({.lane = 0}), hasty = mann->make_state({.lane = 1});
  const std::vector<Intent> intents(2, Intent::move({0, 0, 1}));
  Intent asked[2] = {intents[0], intents[0]};
  asked[0].styles[0] = asked[1].styles[1] = 1;
  for (int tick = 0; tick < 60; ++tick) {
    crowd.tick(intents, 1.0 / 60, pool);
    mann->tick(*calm, asked[0], 1.0 / 60);
    mann->tick(*hasty, asked[1], 1.0 / 60);
  }
  EXPECT_EQ(test::bits_of(crowd.state(0)), test::bits_of(*calm));
  EXPECT_EQ(test::bits_of(crowd.state(1)), test::bits_of(*hasty));
}

// As network games do it: 64 characters that come and go; each rollback goes 8 frames back, with other intents for some
// frames, and then with the true ones.
TEST(Spawn, LongRollbacksAreBitEqual) {
  const int num_rollbacks = static_cast<int>(number_of("ZOE_ROLLBACKS", zoe::test::kSanitized ? 5 : 40));
  const ControllerPtr walker = shipped("walker");
  ThreadPool pool(1);
  constexpr int kSize = 64, kFrames = 8;
  CrowdOptions options{.ground = test::hills()};
  options.avoidance.emplace();
  Crowd crowd({{walker, kSize}}, options);
  Random random(64);
  for (int i = 0; i < kSize - 4; ++i)
    crowd.spawn({.root = {{static_cast<float>(i % 8) * 2, 0, static_cast<float>(i / 8) * 2}, 0}});
  std::vector<std::byte> saved(crowd.state_bytes());
  std::vector<Intent> intents(kSize);
  const auto play = [&](Random frames, bool guessed) {
    std::vector<std::uint64_t> hashes;
    for (int frame = 0; frame < kFrames; ++frame) {
      for (int i = 0; i < kSize; ++i) {
        if (frames.below(10) == 0) intents[static_cast<std::size_t>(i)] = test::random_intent(frames);
      }
      if (const int at = static_cast<int>(frames.below(kSize)); frames.below(3) == 0) {
        crowd.is_alive(at) ? crowd.despawn(at)
                           : static_cast<void>(crowd.spawn({.root = {{frames.uniform(0, 16), 0, 0}, 0}}));
      }
      std::vector<Intent> used = intents;
      if (guessed) used[frames.below(kSize)] = Intent::move({1, 0, 0});
      crowd.tick(used, 1.0 / 60, pool);
      hashes.push_back(crowd.hash());
    }
    return hashes;
  };
  int unequal = 0;
  for (int rollback = 0; rollback < num_rollbacks; ++rollback) {
    crowd.save_state(saved);
    const std::vector<Intent> before = intents;
    const Random frames = random.split(static_cast<std::uint64_t>(rollback));
    const std::vector<std::uint64_t> expected = play(frames, false);
    ASSERT_TRUE(crowd.restore_state(saved));
    intents = before;
    play(frames, true);  // The wrong future.
    ASSERT_TRUE(crowd.restore_state(saved));
    intents = before;
    unequal += play(frames, false) != expected ? 1 : 0;
  }
  EXPECT_EQ(unequal, 0);
  std::printf("%d rollbacks of %d frames in a crowd of %d: %d unequal\n", num_rollbacks, kFrames, kSize, unequal);
}

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096 / 1e6;
}

// Hours of a crowd that comes and goes, on a street that it walks along without end: memory and the speed of feet in
// contact stay the same.
TEST(Spawn, LongLivesStayTheSame) {
  const double hours = number_of("ZOE_SOAK_HOURS", zoe::test::kSanitized ? 0.002 : 0.01);
  const ControllerPtr walker = shipped("walker");
  ThreadPool pool(1);
  constexpr int kSize = 32;
  CrowdOptions options;
  options.avoidance.emplace();
  Crowd crowd({{walker, kSize}}, options);
  Random random(10);
  std::vector<Intent> intents(kSize);
  const double dt_s = 1.0 / 30;
  const auto num_ticks = static_cast<std::int64_t>(hours * 3600 / dt_s);
  const int foot = walker->contact_joints()[0];
  std::vector<int> chain;
  for (int j = foot; j != kNoJoint; j = walker->skeleton()->parent(j)) chain.insert(chain.begin(), j);
  const auto foot_of = [&](int index) {
    Vec3 at{};
    Quat turn{};
    for (const int j : chain) {
      at = at + rotate(turn, crowd.state(index).pose().translations[static_cast<std::size_t>(j)]);
      turn = turn * crowd.state(index).pose().rotations[static_cast<std::size_t>(j)];
    }
    return at;
  };
  constexpr int kParts = 10;
  struct Part {
    double contact_m = 0, contact_s = 0, resident_mb = 0, farthest_m = 0;
    std::int64_t spawns = 0, recoveries = 0;
  } parts[kParts];
  std::vector<Vec3> feet(kSize);
  std::vector<int> age(kSize, 0);
  const auto enter = [&](Part& part) {
    const auto index = crowd.spawn({.root = {{random.uniform(-20, 20), 0, random.uniform(-20, 20)}, 0},
                                    .proportions = Proportions::uniform(random.uniform(0.9F, 1.1F))});
    if (!index) return;
    age[static_cast<std::size_t>(*index)] = 0;
    ++part.spawns;
  };
  for (int i = 0; i < kSize - 4; ++i) enter(parts[0]);
  for (std::int64_t tick = 0; tick < num_ticks; ++tick) {
    Part& part = parts[tick * kParts / num_ticks];
    // Two of them go on for ever. The others come and go.
    if (tick % 30 == 0) {
      for (int i = 2; i < kSize; ++i) {
        const float angle = random.uniform(-3, 3), speed = random.uniform(0.8F, 1.8F);
        if (random.below(8) == 0)
          intents[static_cast<std::size_t>(i)] = Intent::move({speed * std::sin(angle), 0, speed * std::cos(angle)});
      }
      intents[0] = Intent::move({0, 0, 1.5F});
      intents[1] = Intent::move({-1.4F, 0, 0.5F});
      if (const int out = 2 + static_cast<int>(random.below(kSize - 2)); random.below(2) == 0 && crowd.is_alive(out)) {
        part.recoveries += crowd.state(out).num_recoveries();
        crowd.despawn(out);
      }
      enter(part);
    }
    crowd.tick(intents, dt_s, pool);
    for (int i = 0; i < kSize; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (!crowd.is_alive(i)) continue;
      const Vec3 now = foot_of(i);
      ASSERT_TRUE(is_finite(now));
      if (++age[at] > 60 && crowd.state(i).contacts()[0] > 0.5F) {
        part.contact_m += std::hypot(now.x - feet[at].x, now.z - feet[at].z);
        part.contact_s += dt_s;
      }
      feet[at] = now;
      part.farthest_m = std::max(part.farthest_m, static_cast<double>(length(now)));
    }
    part.resident_mb = resident_mb();
  }
  for (const Part& part : parts) {
    std::printf("contact %.2f cm/s, resident %.1f MB, farthest %.1f km, %lld spawns, %lld recoveries\n",
                100 * part.contact_m / part.contact_s, part.resident_mb, part.farthest_m / 1000,
                static_cast<long long>(part.spawns), static_cast<long long>(part.recoveries));
  }
  // A sanitizer keeps freed memory for a while.
  if (!zoe::test::kSanitized) {
    EXPECT_LT(parts[kParts - 1].resident_mb, parts[1].resident_mb + 1);
  }
  if (hours < 0.05) return;  // Too short for a mean.
  EXPECT_LT(parts[kParts - 1].contact_m / parts[kParts - 1].contact_s,
            1.1 * parts[0].contact_m / parts[0].contact_s + 0.001);
}

}  // namespace
}  // namespace zoe::control
