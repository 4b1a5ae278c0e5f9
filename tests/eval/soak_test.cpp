// SPDX-License-Identifier: MIT
// A short soak of the shipped models, and of a controller that fails. `zoe soak` runs for hours.
#include "zoe/eval/soak.h"

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "zoe/control/load.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/random_life.h"

#include "support/allocation.h"

namespace zoe::eval {
namespace {

control::ControllerPtr shipped(const char* name) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  return control::load_controller(std::filesystem::path(source != nullptr ? source : ".") / "models" / name).value();
}

std::string list_of(const Soak& soak) {
  std::string out;
  for (const std::string& finding : soak.findings) out += finding + "\n";
  return out;
}

TEST(Soak, FindsNothingInShippedModels) {
  ThreadPool pool(1);
  const Soak soak = run_soak({shipped("walker"), shipped("dog")}, pool,
                             {.max_ticks = zoe::test::kSanitized ? 60 : 600, .crowd = 8, .seed = 5});
  // A sanitizer keeps freed memory for a while.
  if (!zoe::test::kSanitized) {
    EXPECT_TRUE(soak.findings.empty()) << list_of(soak);
  }
  EXPECT_EQ(soak.not_finite, 0);
  EXPECT_EQ(soak.hash_mismatches, 0);
  EXPECT_EQ(soak.refused, 0);
  EXPECT_GE(soak.rollbacks, 1);
  EXPECT_GE(soak.restores, 1);
  EXPECT_GT(soak.damaged, 0);
  EXPECT_GT(soak.spawns, 0);
}

TEST(Soak, TheSameSeedGivesTheSameRun) {
  ThreadPool pool(1);
  const control::ControllerPtr dog = shipped("dog");
  const auto run = [&](std::uint64_t seed) {
    const Soak soak = run_soak({dog}, pool, {.max_ticks = 60, .crowd = 4, .seed = seed});
    return std::tuple(soak.character_ticks, soak.spawns, soak.despawns, soak.simulated_s);
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

// A state that forgets a field: its crowd cannot be rolled back.
struct Forgetful final : control::Controller {
  struct State final : control::ControllerState {
    float way_m = 0;  // Left out of describe().
    void describe(StateArchive&) override {}
  };
  explicit Forgetful(const SkeletonPtr& skeleton) : Controller({.skeleton = skeleton, .rate_hz = 30}) {}
  const char* type() const override { return "forgetful"; }
  std::size_t model_bytes() const override { return 0; }
  std::unique_ptr<control::ControllerState> allocate_state() const override { return std::make_unique<State>(); }
  void start(control::ControllerState& state, control::CharacterFrame& now) const noexcept override {
    static_cast<State&>(state).way_m = 0;
    now.root = {};
    now.pose = make_pose(*skeleton());
  }
  void step(const control::StepItem& item) const noexcept override {
    auto& state = static_cast<State&>(*item.state);
    state.way_m += 0.01F;
    item.now->root = {{0, 0, state.way_m}, 0};
    item.now->pose = make_pose(*skeleton());
    item.now->pose.translations[0] = {0, 1, state.way_m};
  }
};

TEST(Soak, NoticesAStateThatForgetsAField) {
  ThreadPool pool(0);
  const auto forgetful = std::make_shared<Forgetful>(shipped("walker")->skeleton());
  const Soak soak = run_soak({forgetful}, pool, {.max_ticks = 200, .crowd = 4});
  EXPECT_GT(soak.hash_mismatches, 0);
  EXPECT_FALSE(soak.findings.empty());
}

TEST(RandomLife, AbsurdIntentsAreMadeSound) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const control::Intent sound = control::sanitised(absurd_intent(random));
    ASSERT_TRUE(sound.num_wanted >= 1 && sound.num_wanted <= control::kMaxWanted);
    for (float time_s = 0; time_s < 2; time_s += 0.3F) ASSERT_TRUE(is_finite(sound.velocity_at(time_s)));
  }
}

}  // namespace
}  // namespace zoe::eval
