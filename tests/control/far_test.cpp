// SPDX-License-Identifier: MIT
// Characters that go far: the model's space follows them, and nothing that is displayed notices.
#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/control/crowd.h"
#include "zoe/control/load.h"

#include "control/every_type.h"
#include "control/random_history.h"
#include "support/allocation.h"

namespace zoe::control {
namespace {

using test::Wish;

float largest_distance(const ControllerState& a, const ControllerState& b) {
  float most = length(a.root().position - b.root().position);
  for (std::size_t j = 0; j < a.pose().rotations.size(); ++j) {
    most = std::max(most, length(a.pose().translations[j] - b.pose().translations[j]));
    const Quat p = a.pose().rotations[j], q = nearest_to(p, b.pose().rotations[j]);
    most = std::max({most, std::abs(p.x - q.x), std::abs(p.y - q.y), std::abs(p.z - q.z), std::abs(p.w - q.w)});
  }
  return most;
}

class EveryFar : public testing::TestWithParam<const char*> {
 protected:
  const Controller& controller() const { return *test::controller_of(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Types, EveryFar, testing::ValuesIn(test::kEveryType), test::NameOfType());

// On the way, in turns, in stands, on uneven ground.
TEST_P(EveryFar, AMovedSpaceChangesNothing) {
  const Controller& c = controller();
  const auto a = c.make_state({.root = {{3, 0, 1}, 0.7F}, .proportions = {1.1F, 0.9F}, .ground = test::hills()}),
             b = c.make_state({.ground = test::hills()});
  float moved_m = 0;
  for (int round = 0; round < 30; ++round) {
    const Wish wish = round % 3 == 0 ? Wish::kGoal : round % 3 == 1 ? Wish::kStops : Wish::kSticks;
    for (int i = 0; i < 100; ++i)
      c.tick(*a, i < 60 ? Intent::move({0.8F, 0, 1.1F}, 0.2F * static_cast<float>(round)) : test::intent_at(wish, i),
             1.0 / 60);
    ASSERT_TRUE(c.restore_state(*b, c.save_state(*a)));
    const std::uint64_t before = b->hash();
    c.rebase(*b);
    moved_m += b->hash() != before ? 1.0F : 0.0F;
    ASSERT_LT(largest_distance(*a, *b), 1e-4F) << round;
    for (int i = 0; i < 10; ++i) {
      c.tick(*a, test::intent_at(wish, i), 1.0 / 60);
      c.tick(*b, test::intent_at(wish, i), 1.0 / 60);
      // A search may choose another of two equal frames.
      const float most = std::string(GetParam()).find("mm") != std::string::npos ? 0.05F : 2e-3F;
      ASSERT_LT(largest_distance(*a, *b), most) << "round " << round << ", tick " << i;
    }
  }
  EXPECT_GT(moved_m, 15);
}

// The shipped walker for a kilometre: no step is out of the ordinary.
TEST(Far, TheWalkerWalksAsNearTheOrigin) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const ControllerPtr walker =
      load_controller(std::filesystem::path(source != nullptr ? source : ".") / "models/walker").value();
  const auto state = walker->make_state();
  Vec3 last_ankle{};
  float largest_m = 0;
  double contact_m[2] = {}, contact_s[2] = {};
  const int leg = walker->contact_joints()[0];
  const int num_ticks = zoe::test::kSanitized ? 600 : 20000;  // At 30 Hz.
  for (int i = 0; i < num_ticks; ++i) {
    walker->tick(*state, Intent::move({0, 0, 1.6F}), 1.0 / 30);
    // The foot in the world.
    Vec3 at{};
    Quat turn{};
    std::vector<int> chain;
    for (int j = leg; j != kNoJoint; j = walker->skeleton()->parent(j)) chain.push_back(j);
    for (auto j = chain.rbegin(); j != chain.rend(); ++j) {
      at = at + rotate(turn, state->pose().translations[static_cast<std::size_t>(*j)]);
      turn = turn * state->pose().rotations[static_cast<std::size_t>(*j)];
    }
    const float moved_m = std::hypot(at.x - last_ankle.x, at.z - last_ankle.z);
    if (i > 0) largest_m = std::max(largest_m, moved_m);
    const int part = i < num_ticks / 4 ? 0 : i > num_ticks * 3 / 4 ? 1 : -1;
    if (i > 100 && part >= 0 && state->contacts()[0] > 0.5F) {
      contact_m[part] += moved_m;
      contact_s[part] += 1.0 / 30;
    }
    last_ankle = at;
  }
  EXPECT_LT(largest_m, 0.35F);
  EXPECT_EQ(state->num_recoveries(), 0);
  if (zoe::test::kSanitized) return;
  EXPECT_GT(state->root().position.z, 1000);
  EXPECT_LT(contact_m[1] / contact_s[1], 1.15 * contact_m[0] / contact_s[0] + 0.002);
}

}  // namespace
}  // namespace zoe::control
