// SPDX-License-Identifier: MIT
// Saving, restoring and hashing the state of a character, for every controller type.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "zoe/control/crowd.h"

#include "control/every_type.h"
#include "control/toy_controller.h"
#include "support/allocation.h"
#include "support/data.h"

namespace zoe::control {
namespace {

using test::ToyController;
using test::Wish;

double dt_at_random(Random& random) { return test::dt_at(static_cast<int>(random.below(42))); }

class EveryState : public testing::TestWithParam<const char*> {
 protected:
  const Controller& controller() const { return *test::controller_of(GetParam()); }
  // Saves, runs on, and compares with what the same bytes do in three other states: the saved one itself, a new one,
  // and one with another history, size, position and lane.
  void expect_continues(ControllerState& state, Wish wish, int from, int num_ticks = 200) const {
    const std::vector<std::byte> bytes = controller().save_state(state);
    ASSERT_EQ(bytes.size(), controller().state_bytes(state));
    ASSERT_EQ(state.hash(), hash64(bytes));
    const std::uint64_t now = test::bits_of(state);
    const std::vector<std::uint64_t> expected = test::run(controller(), state, wish, from, num_ticks);
    const auto fresh = controller().make_state(),
               other = controller().make_state(
                   {.root = {{9, 0, -4}, 2}, .proportions = Proportions::uniform(1.7F), .lane = 5});
    test::run(controller(), *other, Wish::kSticks, 1000, 90);
    for (ControllerState* target : {&state, fresh.get(), other.get()}) {
      const Result<void> restored = controller().restore_state(*target, bytes);
      ASSERT_TRUE(restored) << restored.error().format();
      ASSERT_EQ(test::bits_of(*target), now);
      ASSERT_EQ(controller().save_state(*target), bytes);
      const std::vector<std::uint64_t> found = test::run(controller(), *target, wish, from, num_ticks);
      const auto first = std::mismatch(found.begin(), found.end(), expected.begin()).first;
      ASSERT_EQ(found, expected) << "first apart after " << first - found.begin() << " ticks";
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Types, EveryState, testing::ValuesIn(test::kEveryType), test::NameOfType());

TEST_P(EveryState, ContinuesBitByBit) {
  const auto state = controller().make_state({.root = {{3, 0, 1}, 0.7F}});
  expect_continues(*state, Wish::kSticks, 0);
  for (const int from : {1, 26, 61, 140, 233}) {
    const auto again = controller().make_state({.root = {{3, 0, 1}, 0.7F}, .lane = from % 3});
    test::run(controller(), *again, Wish::kSticks, 0, from);
    SCOPED_TRACE(from);
    expect_continues(*again, Wish::kSticks, from);
  }
}

TEST_P(EveryState, ContinuesWhileStuck) {
  const auto state = controller().make_state({.proportions = Proportions::uniform(0.3F)});  // Too small to run so fast.
  bool was_near = false, was_stuck = false;
  for (const int ticks : {30, 40, 150}) {
    test::run(controller(), *state, Wish::kTooFast, 0, ticks);
    was_near = was_near || state->progress() == Progress::kMoving;
    was_stuck = was_stuck || state->progress() == Progress::kStuck;
    expect_continues(*state, Wish::kTooFast, ticks, 80);
  }
  EXPECT_TRUE(was_near && was_stuck);
}

TEST_P(EveryState, ContinuesOnTheWayToAGoal) {
  const auto state = controller().make_state();
  bool was_watching = false;
  for (const int from : {10, 150, 330, 480}) {
    test::run(controller(), *state, Wish::kGoal, from, 60);
    was_watching = was_watching || state->progress() == Progress::kMoving;
    expect_continues(*state, Wish::kGoal, from + 60);
  }
  EXPECT_TRUE(was_watching);
}

TEST_P(EveryState, ContinuesOutOfPlaceAndOfOtherSize) {
  const auto state = controller().make_state({.proportions = {0.6F, 1.3F}});
  test::run(controller(), *state, Wish::kSticks, 0, 70);
  controller().place(*state, {{-20, 0, 30}, 2.5F});
  expect_continues(*state, Wish::kSticks, 70);
  controller().reset(*state);
  expect_continues(*state, Wish::kSticks, 300);
}

// While it stops, stands, turns in the stand and leaves it.
TEST_P(EveryState, ContinuesInAStand) {
  const auto state = controller().make_state({.root = {{3, 0, 1}, 0.7F}});
  expect_continues(*state, Wish::kStops, 60, 60);
  const auto again = controller().make_state({.root = {{3, 0, 1}, 0.7F}});
  int tick = 0;
  for (const int at : {41, 44, 47, 55, 75, 83, 100, 119, 121, 124, 130, 165, 210, 240}) {
    test::run(controller(), *again, Wish::kStops, tick, at - tick);
    tick = at;
    SCOPED_TRACE(at);
    const std::vector<std::byte> bytes = controller().save_state(*again);
    expect_continues(*again, Wish::kStops, at, 60);
    ASSERT_TRUE(controller().restore_state(*again, bytes));
  }
}

// A restored state also starts again as the saved one: lanes decide when characters of a sequence are due.
TEST_P(EveryState, ResetsAlike) {
  const auto state = controller().make_state({.root = {{1, 0, 2}, 3}, .proportions = {0.9F, 1.1F}, .lane = 2});
  test::run(controller(), *state, Wish::kSticks, 0, 50);
  const auto other = controller().make_state();
  ASSERT_TRUE(controller().restore_state(*other, controller().save_state(*state)));
  controller().reset(*state);
  controller().reset(*other);
  EXPECT_EQ(test::run(controller(), *other, Wish::kSticks, 50, 60),
            test::run(controller(), *state, Wish::kSticks, 50, 60));
}

// At every tick around switches, so that a blend is under way at most of them.
TEST_P(EveryState, ContinuesInTheMiddleOfABlend) {
  const auto state = controller().make_state();
  test::run(controller(), *state, Wish::kSticks, 0, 95);
  for (int tick = 95; tick < 130; tick += 3) {
    test::run(controller(), *state, Wish::kSticks, tick, 3);
    const std::vector<std::byte> bytes = controller().save_state(*state);
    expect_continues(*state, Wish::kSticks, tick + 3, 25);
    ASSERT_TRUE(controller().restore_state(*state, bytes));
  }
}

TEST_P(EveryState, NothingAllocates) {
  const auto state = controller().make_state();
  std::vector<std::byte> bytes(controller().state_bytes(*state));
  const zoe::test::AllocationMeter meter;
  for (int i = 0; i < 20; ++i) {
    controller().tick(*state, Intent::move({0, 0, 1}), 1.0 / 60);
    controller().save_state(*state, bytes);
    controller().tick(*state, Intent::move({0, 0, 1}), 1.0 / 60);
    ASSERT_TRUE(controller().restore_state(*state, bytes));
    (void)state->hash();
  }
  for (int i = 0; i < 120; ++i) controller().tick(*state, test::intent_at(Wish::kStops, i), 1.0 / 30);
  EXPECT_EQ(meter.allocations(), 0U);
}

TEST_P(EveryState, RefusesOtherBytesAndStaysAsItWas) {
  const auto state = controller().make_state();
  test::run(controller(), *state, Wish::kSticks, 0, 60);
  const std::vector<std::byte> bytes = controller().save_state(*state);
  const std::uint64_t before = test::bits_of(*state);
  const auto words = [&](std::span<const std::byte> given) {
    const Result<void> restored = controller().restore_state(*state, given);
    EXPECT_EQ(test::bits_of(*state), before);
    return restored ? std::string() : restored.error().format();
  };
  const auto with = [&](std::size_t at, auto value) {
    std::vector<std::byte> changed = bytes;
    std::memcpy(changed.data() + at, &value, sizeof(value));
    return changed;
  };
  EXPECT_NE(words({}).find("too few"), std::string::npos);
  EXPECT_NE(words(std::span(bytes).first(31)).find("too few"), std::string::npos);
  EXPECT_NE(words(std::span(bytes).first(bytes.size() - 1)).find("bytes where there should be"), std::string::npos);
  std::vector<std::byte> longer = bytes;
  longer.push_back({});
  EXPECT_NE(words(longer).find("bytes where there should be"), std::string::npos);
  EXPECT_NE(words(with(0, 'X')).find("no state"), std::string::npos);
  EXPECT_NE(words(with(4, 7)).find("version 7"), std::string::npos);
  EXPECT_NE(words(with(8, 'x')).find("type 'x"), std::string::npos);
  EXPECT_NE(words(with(24, std::uint64_t{1})).find("another"), std::string::npos);
  // The root of the frame before: right after the header.
  EXPECT_NE(words(with(32, std::numeric_limits<float>::quiet_NaN())).find("not finite"), std::string::npos);
  EXPECT_TRUE(controller().restore_state(*state, bytes));
}

// Damaged bytes are refused, or make a character that goes on; whoever has the same hash goes on alike.
TEST_P(EveryState, EqualHashesMeanEqualFutures) {
  const auto state = controller().make_state();
  test::run(controller(), *state, Wish::kSticks, 0, 80);
  const std::vector<std::byte> bytes = controller().save_state(*state);
  std::map<std::uint64_t, std::vector<std::uint64_t>> futures;
  Random random(5);
  int accepted = 0, refused = 0, same = 0;
  for (int i = 0; i < (zoe::test::kSanitized ? 60 : 300); ++i) {
    std::vector<std::byte> changed = bytes;
    if (i % 10 > 0) {
      changed[32 + random.below(bytes.size() - 32)] ^= static_cast<std::byte>(1U << random.below(8));
    }
    if (!controller().restore_state(*state, changed)) {
      ++refused;
      continue;
    }
    ++accepted;
    const std::uint64_t hash = state->hash();
    const std::vector<std::uint64_t> future = test::run(controller(), *state, Wish::kSticks, 80, 12);
    EXPECT_TRUE(is_finite(state->root().position));
    const auto [known, is_new] = futures.emplace(hash, future);
    if (!is_new) ++same;
    EXPECT_EQ(known->second, future);
  }
  EXPECT_GT(accepted, 30);
  EXPECT_GE(same, 5);
}

// By two routes to the same bytes, and on from there by the same random wishes.
TEST_P(EveryState, TheSameAfterAnyHistory) {
  Random random(31);
  const auto a = controller().make_state(), b = controller().make_state({.root = {{5, 0, 5}, 1}});
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 15; ++i) {
      const int at = static_cast<int>(random.below(900));
      controller().tick(*a, test::intent_at(static_cast<Wish>(random.below(3)), at), dt_at_random(random));
      controller().tick(*b, test::intent_at(static_cast<Wish>(random.below(3)), at + 7), dt_at_random(random));
    }
    if (random.below(3) == 0) controller().place(*a, {{random.uniform(-9, 9), 0, 1}, random.uniform(-3, 3)});
    if (random.below(4) == 0) controller().reset(*b);
    ASSERT_NE(a->hash(), b->hash());
    ASSERT_TRUE(controller().restore_state(*b, controller().save_state(*a)));
    ASSERT_EQ(a->hash(), b->hash());
    const int from = static_cast<int>(random.below(900));
    ASSERT_EQ(test::run(controller(), *a, Wish::kSticks, from, 30),
              test::run(controller(), *b, Wish::kSticks, from, 30))
        << round;
  }
}

// The other process of AnotherProcessGoesOn: restores every state that it finds, goes on, and writes what it came to.
TEST(StateOfAnotherProcess, Continues) {
  const char* folder = std::getenv("ZOE_TEST_STATES");
  if (folder == nullptr) return;  // Run by AnotherProcessGoesOn.
  for (const char* name : test::kEveryType) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::ifstream file(path, std::ios::binary);
    if (!file) continue;
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const Controller& controller = *test::controller_of(name);
    const auto state = controller.make_state();
    const Result<void> restored = controller.restore_state(*state, std::as_bytes(std::span(text)));
    ASSERT_TRUE(restored) << name << ": " << restored.error().format();
    std::ofstream out(path.string() + ".trace");
    for (const std::uint64_t bits : test::run(controller, *state, Wish::kSticks, 110, 200)) out << bits << "\n";
  }
}

TEST_P(EveryState, AnotherProcessGoesOn) {
  const auto folder = zoe::test::temporary_dir("states");
  const auto state = controller().make_state();
  test::run(controller(), *state, Wish::kSticks, 0, 110);
  const std::vector<std::byte> bytes = controller().save_state(*state);
  std::ofstream(folder / GetParam(), std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  std::ostringstream expected;
  for (const std::uint64_t bits : test::run(controller(), *state, Wish::kSticks, 110, 200)) expected << bits << "\n";

  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      "ZOE_TEST_STATES='" + folder.string() + "' '" + self + "' --gtest_filter='StateOfAnotherProcess.*' > /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(folder / (std::string(GetParam()) + ".trace"));
  const std::string found((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(found, expected.str());
}

TEST(State, OfAnotherModelIsRefusedByName) {
  const Controller &mann = *test::controller_of("mann"), &pfnn = *test::controller_of("pfnn");
  const ControllerPtr other = test::make_neural("mann", 0.03F);  // The same body and layout, other weights.
  const ControllerPtr fewer = test::make_matching(MatchOptions::Blend::kDeadBlend, 7);
  const auto words = [](const Controller& controller, const std::vector<std::byte>& bytes) {
    const auto state = controller.make_state();
    const Result<void> restored = controller.restore_state(*state, bytes);
    return restored ? std::string() : restored.error().message;
  };
  const std::vector<std::byte> bytes = mann.save_state(*mann.make_state());
  EXPECT_EQ(words(mann, bytes), "");
  EXPECT_EQ(words(*test::make_neural("mann"), bytes), "") << "the same model, made again";
  EXPECT_NE(words(pfnn, bytes).find("type 'mann', this one is 'pfnn'"), std::string::npos);
  EXPECT_NE(words(*other, bytes).find("another 'mann' model"), std::string::npos);
  const Controller& mm = *test::controller_of("mm");
  EXPECT_NE(words(*fewer, mm.save_state(*mm.make_state())).find("another 'mm' model"), std::string::npos);
  EXPECT_EQ(mm.fingerprint(), test::make_matching(MatchOptions::Blend::kDeadBlend)->fingerprint());
}

// What matching reports of its last search is part of the state.
TEST(State, ReportsComeBack) {
  const Controller &mm = *test::controller_of("mm"), &lmm = *test::controller_of("lmm");
  const auto a = mm.make_state(), b = mm.make_state();
  EXPECT_TRUE(match_report(*b).query.features.empty());
  test::run(mm, *a, Wish::kSticks, 0, 90);
  ASSERT_TRUE(mm.restore_state(*b, mm.save_state(*a)));
  const MatchReport &saved = match_report(*a), &restored = match_report(*b);
  EXPECT_GT(restored.num_searches, 5);
  EXPECT_EQ(restored.num_searches, saved.num_searches);
  EXPECT_EQ(restored.num_switches, saved.num_switches);
  EXPECT_EQ(restored.frame, saved.frame);
  EXPECT_EQ(restored.cost, saved.cost);
  EXPECT_EQ(restored.query.all_of, saved.query.all_of);
  EXPECT_EQ(restored.query.none_of, saved.query.none_of);
  EXPECT_EQ(restored.query.skip_begin, saved.query.skip_begin);
  EXPECT_EQ(restored.query.skip_end, saved.query.skip_end);
  EXPECT_EQ(restored.query.max_cost, saved.query.max_cost);
  EXPECT_EQ(restored.query.hints, saved.query.hints);
  ASSERT_EQ(restored.query.features.size(), saved.query.features.size());
  EXPECT_TRUE(std::equal(saved.query.features.begin(), saved.query.features.end(), restored.query.features.begin()));
  EXPECT_NE(restored.query.features.data(), saved.query.features.data()) << "the state's own";

  const auto c = lmm.make_state(), d = lmm.make_state();
  test::run(lmm, *c, Wish::kSticks, 0, 90);
  ASSERT_TRUE(lmm.restore_state(*d, lmm.save_state(*c)));
  EXPECT_GT(learned_match_report(*d).num_searches, 5);
  EXPECT_EQ(learned_match_report(*d).num_searches, learned_match_report(*c).num_searches);
  EXPECT_EQ(learned_match_report(*d).num_switches, learned_match_report(*c).num_switches);
  EXPECT_EQ(learned_match_report(*d).cost, learned_match_report(*c).cost);
  EXPECT_EQ(learned_match_report(*d).found_cost, learned_match_report(*c).found_cost);
}

TEST(State, ContinuesAfterARecovery) {
  ToyController controller;
  controller.poison_at_step = 30;
  const auto state = controller.make_state({.root = {{5, 0, 5}, 0.5F}});
  for (int i = 0; i < 31; ++i) controller.tick(*state, Intent::move({1, 0, 0}), 1.0 / 60);
  ASSERT_EQ(state->progress(), Progress::kRecovered);
  const auto other = controller.make_state();
  ASSERT_TRUE(controller.restore_state(*other, controller.save_state(*state)));
  EXPECT_EQ(other->num_recoveries(), 1);
  EXPECT_EQ(other->progress(), Progress::kRecovered);
  EXPECT_EQ(test::run(controller, *other, Wish::kGoal, 0, 100), test::run(controller, *state, Wish::kGoal, 0, 100));
}

TEST(State, ContinuesWhileAGoalIsOutOfReach) {
  ToyController controller;
  controller.walls = true;
  const auto state = controller.make_state(), other = controller.make_state();
  Progress last = Progress::kStanding;
  for (const int ticks : {60, 90, 120, 150}) {
    test::run(controller, *state, Wish::kGoal, 0, ticks);
    ASSERT_TRUE(controller.restore_state(*other, controller.save_state(*state)));
    last = other->progress();
    const std::vector<std::byte> bytes = controller.save_state(*state);
    ASSERT_EQ(test::run(controller, *other, Wish::kGoal, 0, 200), test::run(controller, *state, Wish::kGoal, 0, 200));
    ASSERT_TRUE(controller.restore_state(*state, bytes));
  }
  EXPECT_EQ(last, Progress::kUnreachable);
  // The path is free again, but a character that gave up waits; so does the restored one.
  controller.walls = false;
  ASSERT_TRUE(controller.restore_state(*other, controller.save_state(*state)));
  test::run(controller, *other, Wish::kGoal, 0, 60);
  EXPECT_LT(length(other->root().position), 0.05F);
}

TEST(State, EveryFieldOfTheBaseClassCounts) {
  ToyController controller;
  std::map<std::uint64_t, std::string> seen;
  const auto expect_new = [&](const ControllerState& state, const std::string& what) {
    const auto [known, is_new] = seen.emplace(state.hash(), what);
    EXPECT_TRUE(is_new) << what << " equals " << known->second;
  };
  controller.walls = true;  // Poses stay the same: only timers, goals and progress differ.
  const auto state = controller.make_state();
  expect_new(*state, "new");
  const auto stands = controller.make_state(), waits = controller.make_state(), goes = controller.make_state();
  for (int i = 0; i < 30; ++i) {
    controller.tick(*stands, Intent::stand(), 1.0 / 60);
    controller.tick(*waits, Intent::move({0, 0, 1}), 1.0 / 60);
    Intent go;
    go.goal = WantedPlace{{0, 0, 10}, {}};
    controller.tick(*goes, go, 1.0 / 60);
  }
  expect_new(*stands, "stood");
  expect_new(*waits, "is getting stuck");
  expect_new(*goes, "has a goal");
  controller.place(*stands, {{0, 0, 1}, 0});
  expect_new(*stands, "elsewhere");
  controller.place(*stands, {{0, 2, 1}, 0});
  expect_new(*stands, "higher");
  controller.tick(*stands, Intent::stand(), 0.001);
  expect_new(*stands, "later by less than a step");
  expect_new(*controller.make_state({.proportions = {1, 1.1F}}), "larger trunk");
}

// Engines that move the entity themselves put its skeleton into pose_in_root().
TEST(State, ThePoseInTheRootAndTheRootGiveThePose) {
  for (const char* type : {"mann", "mm", "cxm"}) {
    const Controller& controller = *test::controller_of(type);
    const auto state = controller.make_state({.root = {{4, 0.5F, -3}, 1.1F}, .proportions = {0.8F, 1.2F}});
    for (int tick = 0; tick < 200; ++tick) {
      controller.tick(*state, test::intent_at(Wish::kSticks, tick), test::dt_at(tick));
      const PoseView world = state->pose(), in_root = state->pose_in_root();
      const Quat turn = rotation_of(state->root());
      for (int j = 0; j < controller.skeleton()->num_joints(); ++j) {
        const Transform a = world.joint(j);
        Transform b = in_root.joint(j);
        if (controller.skeleton()->parent(j) == kNoJoint) {
          // The body stays near its root, wherever that is.
          ASSERT_LT(std::hypot(b.translation.x, b.translation.z), 1.0F);
          b.translation = state->root().position + rotate(turn, b.translation);
          b.rotation = turn * b.rotation;
        }
        ASSERT_LT(distance(a.translation, b.translation), 1e-5F) << type << " " << tick;
        ASSERT_GT(std::abs(dot(a.rotation, b.rotation)), 1 - 1e-5F) << type << " " << tick;
        ASSERT_EQ(a.scale, b.scale);
      }
    }
  }
}

}  // namespace
}  // namespace zoe::control
