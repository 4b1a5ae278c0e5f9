// SPDX-License-Identifier: MIT
// A crowd ticked by several threads: no data races (under ThreadSanitizer), and the bits of one thread.
#include <gtest/gtest.h>

#include "zoe/control/crowd.h"

#include "control/toy_controller.h"
#include "support/pool.h"

namespace zoe::control {
namespace {

// Characters on a ring who all want to cross it: neighbours, avoidance and overlaps in every tick.
std::uint64_t hash_after_crossing(ThreadPool& pool) {
  constexpr int kCount = 48;
  std::vector<PlanarRoot> places;
  std::vector<Intent> intents;
  for (int i = 0; i < kCount; ++i) {
    const float angle_rad = 6.2831853F * static_cast<float>(i) / kCount;
    const Vec3 out{std::sin(angle_rad), 0, std::cos(angle_rad)};
    places.push_back({out * 3.0F, angle_rad + 3.14159265F});
    intents.push_back(Intent::move(out * -1.3F));
  }
  CrowdOptions options;
  options.avoidance.emplace();
  options.detail = DetailOptions{.max_full = 20};
  Crowd crowd(std::make_shared<test::ToyController>(30), places, options);
  for (int tick = 0; tick < 90; ++tick) crowd.tick(intents, 1.0 / 60, pool);
  return crowd.hash();
}

TEST(CrowdThreads, FourThreadsGiveTheBitsOfOne) {
  ThreadPool alone(0), four(3);
  zoe::test::wait_for_threads(four);
  EXPECT_EQ(hash_after_crossing(four), hash_after_crossing(alone));
}

}  // namespace
}  // namespace zoe::control
