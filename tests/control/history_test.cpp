// SPDX-License-Identifier: MIT
// Characters of equal hashes stay equal for ever, whatever happened to them before and whatever happens to both after.
#include <gtest/gtest.h>

#include "zoe/control/crowd.h"
#include "zoe/core/thread_pool.h"

#include "control/every_type.h"
#include "control/random_history.h"
#include "support/allocation.h"

namespace zoe::control {
namespace {

constexpr int kRounds = zoe::test::kSanitized ? 4 : 24;

class EveryHistory : public testing::TestWithParam<const char*> {
 protected:
  const ControllerPtr& controller() const { return test::controller_of(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Types, EveryHistory, testing::ValuesIn(test::kEveryType), test::NameOfType());

TEST_P(EveryHistory, EqualHashesStayEqual) {
  const Controller& c = *controller();
  Random random(2026);
  const auto a = c.make_state({.ground = test::hills()}),
             b = c.make_state({.root = {{4, 1, 2}, 1}, .proportions = Proportions::uniform(1.3F)});
  const auto live = [&](ControllerState& state, Random own, int num_ticks) {
    for (int tick = 0; tick < num_ticks;) {
      const Intent intent = test::random_intent(own);
      test::disturb(c, state, own);
      const int until = tick + 1 + static_cast<int>(own.below(30));
      for (; tick < until; ++tick) c.tick(state, intent, test::random_dt_s(own));
    }
  };
  int differed = 0;
  for (int round = 0; round < kRounds; ++round) {
    live(*a, random.split(2 * static_cast<std::uint64_t>(round)), 20 + static_cast<int>(random.below(100)));
    live(*b, random.split(2 * static_cast<std::uint64_t>(round) + 1), 20 + static_cast<int>(random.below(100)));
    differed += a->hash() != b->hash() ? 1 : 0;
    ASSERT_TRUE(c.restore_state(*b, c.save_state(*a)));
    b->set_ground(a->ground());
    ASSERT_EQ(a->hash(), b->hash()) << round;
    const Random later = random.split(1000 + static_cast<std::uint64_t>(round));
    for (int part = 0; part < 5; ++part) {
      live(*a, later.split(static_cast<std::uint64_t>(part)), 20);
      live(*b, later.split(static_cast<std::uint64_t>(part)), 20);
      ASSERT_EQ(test::bits_of(*a), test::bits_of(*b)) << "round " << round << ", part " << part;
    }
  }
  EXPECT_EQ(differed, kRounds);
}

// With avoidance, far ones in less detail, and an eye that moves.
TEST_P(EveryHistory, CrowdsOfEqualHashesStayEqual) {
  constexpr std::size_t kSize = 7;
  std::vector<PlanarRoot> roots(kSize);
  for (std::size_t i = 0; i < kSize; ++i) roots[i] = {{static_cast<float>(i) * 3, 0, static_cast<float>(i % 3)}, 0};
  CrowdOptions options{.ground = test::hills()};
  options.avoidance.emplace();
  options.detail = DetailOptions{.half_from_m = 6, .third_from_m = 12};
  Crowd a(controller(), roots, options), b(controller(), roots, options);
  ThreadPool pool(1);
  Random random(7);
  std::vector<Intent> intents(kSize);
  const auto live = [&](Crowd& crowd, Random own, int num_ticks) {
    for (int tick = 0; tick < num_ticks; ++tick) {
      if (tick % 15 == 0) {
        for (std::size_t i = 0; i < kSize; ++i) {
          intents[i] = test::random_intent(own);
          test::disturb(*controller(), crowd.state(static_cast<int>(i)), own);
        }
        crowd.set_eye({own.uniform(-20, 20), 2, own.uniform(-20, 20)});
      }
      crowd.tick(intents, test::random_dt_s(own), pool);
    }
  };
  for (int round = 0; round < kRounds / 4; ++round) {
    live(a, random.split(2 * static_cast<std::uint64_t>(round)), 90);
    live(b, random.split(2 * static_cast<std::uint64_t>(round) + 1), 60);
    ASSERT_NE(a.hash(), b.hash());
    ASSERT_TRUE(b.restore_state(a.save_state()));
    for (int i = 0; i < b.size(); ++i) b.state(i).set_ground(a.state(i).ground());
    ASSERT_EQ(a.hash(), b.hash());
    const Random later = random.split(500 + static_cast<std::uint64_t>(round));
    live(a, later, 60);
    live(b, later, 60);
    ASSERT_EQ(a.hash(), b.hash()) << round;
    for (int i = 0; i < a.size(); ++i) ASSERT_EQ(test::bits_of(a.state(i)), test::bits_of(b.state(i))) << i;
  }
}

}  // namespace
}  // namespace zoe::control
