// SPDX-License-Identifier: MIT
// Grounds that no level designer means: pits, walls, spikes, holes, heights of 3e38. Bodies stay whole and their height
// changes no faster than in a fall.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/control/ground_plane.h"

#include "control/every_type.h"
#include "control/walk_on_ground.h"

namespace zoe::control {
namespace {

using test::Wish;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinite = std::numeric_limits<float>::infinity();
constexpr float kHuge = 3e38F;

float half_of(float p) { return p - std::floor(p); }

struct HardGround {
  const char* name;
  Ground::HeightFunction height;
  bool has_holes = false;
};
const std::vector<HardGround>& hard_grounds() {
  static const std::vector<HardGround> grounds{
      {"a pit of 50 m", [](float, float z) { return z > 1 ? -50.0F : 0.0F; }},
      {"a wall of 50 m", [](float, float z) { return z > 1 ? 50.0F : 0.0F; }},
      {"a pit of 9 km", [](float, float z) { return z > 1 ? -9000.0F : 0.0F; }},
      {"spikes of 20 m", [](float x, float z) { return half_of(x) < 0.1F && half_of(z) < 0.1F ? 20.0F : 0.0F; }},
      {"shafts of 20 m", [](float x, float z) { return half_of(x) < 0.1F && half_of(z) < 0.1F ? -20.0F : 0.0F; }},
      {"a pit without a bottom", [](float, float z) { return z > 1 ? -kHuge : 0.0F; }, true},
      {"a wall without a top", [](float, float z) { return z > 1 ? kHuge : 0.0F; }, true},
      {"stripes of both", [](float, float z) { return half_of(z) < 0.5F ? kHuge : -kHuge; }, true},
      {"infinite", [](float, float z) { return z > 1 ? kInfinite : -kInfinite; }, true},
      {"NaN from 1 m on", [](float, float z) { return z > 1 ? kNaN : 0.0F; }, true},
      {"NaN in half of all cells",
       [](float x, float z) { return (half_of(2 * x) < 0.5F) != (half_of(2 * z) < 0.5F) ? kNaN : 0.1F * z; }, true},
      {"never a height", [](float, float) { return kNaN; }, true},
  };
  return grounds;
}

// What no ground may change much.
struct Extent {
  float joints_m = 0;  // The largest distance of a joint from the root; infinite where a number is not finite.
  float ankles_m = 0;  // The largest height of an ankle above its hip; mostly far below zero.
};
Extent extent_of(const Controller& controller, const ControllerState& state) {
  std::vector<Affine> models(state.pose().rotations.size());
  compute_model_from_joint(*controller.skeleton(), state.pose(), models);
  Extent out{0, -kInfinite};
  for (const Affine& model : models) {
    if (!is_finite(model.t)) return {kInfinite, kInfinite};
    out.joints_m = std::max(out.joints_m, distance(model.t, state.root().position));
  }
  for (const Leg& leg : controller.legs())
    out.ankles_m = std::max(
        out.ankles_m, models[static_cast<std::size_t>(leg.ankle)].t.y - models[static_cast<std::size_t>(leg.hip)].t.y);
  return out;
}

class HardGrounds : public testing::TestWithParam<const char*> {
 protected:
  const Controller& controller() const { return *test::controller_of(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Types, HardGrounds, testing::ValuesIn(test::kEveryType), test::NameOfType());

TEST_P(HardGrounds, BodiesStayWholeAndFallNoFasterThanTheLimit) {
  constexpr double kTick_s = 1.0 / 60;
  const float fastest_mps = 0.5F * spring_rate(GroundPlane::kHalfLife_s) * GroundPlane::kMostStep_m;
  const auto flat = controller().make_state({});
  Extent largest{0, -kInfinite};
  for (int tick = 0; tick < 200; ++tick) {
    controller().tick(*flat, test::intent_at(Wish::kSticks, tick), kTick_s);
    const Extent extent = extent_of(controller(), *flat);
    largest = {std::max(largest.joints_m, extent.joints_m), std::max(largest.ankles_m, extent.ankles_m)};
  }
  for (const HardGround& hard : hard_grounds()) {
    const GroundPtr ground = Ground::function(hard.height);
    for (const bool in_the_middle : {false, true}) {
      const PlanarRoot root{{0.05F, 0, in_the_middle ? 0.9F : -0.5F}, 0};
      const auto state = controller().make_state({.root = root, .ground = ground});
      float before_m = state->root().position.y;
      for (int tick = 0; tick < 200; ++tick) {
        const Intent intent = tick < 120 ? Intent::move({0, 0, 1.2F}) : test::intent_at(Wish::kSticks, tick);
        controller().tick(*state, intent, kTick_s);
        const float now_m = state->root().position.y;
        ASSERT_LE(std::abs(now_m - before_m), 1.01F * fastest_mps * static_cast<float>(kTick_s))
            << hard.name << ", tick " << tick;
        // Feet reach for ground that is a leg away at most: no leg points up a wall.
        const Extent extent = extent_of(controller(), *state);
        ASSERT_LE(extent.joints_m, largest.joints_m + 0.6F) << hard.name << ", tick " << tick;
        ASSERT_LE(extent.ankles_m, std::max(largest.ankles_m, 0.0F) + 0.25F) << hard.name << ", tick " << tick;
        before_m = now_m;
      }
      EXPECT_EQ(state->num_recoveries(), 0) << hard.name;
      EXPECT_EQ(state->num_steps_without_ground() > 0, hard.has_holes) << hard.name;
    }
  }
}

// The pit's bottom is reached, and feet stand on it.
TEST_P(HardGrounds, AFallEndsOnTheGround) {
  const GroundPtr pit = Ground::function([](float, float z) { return z > 0.5F ? -6.0F : 0.0F; });
  const auto state = controller().make_state({.ground = pit});
  for (int tick = 0; tick < 180; ++tick) controller().tick(*state, Intent::move({0, 0, 1.2F}), 1.0 / 60);
  for (int tick = 0; tick < 60; ++tick) controller().tick(*state, Intent::stand(), 1.0 / 60);
  ASSERT_GT(state->root().position.z, 0.8F) << "the course does not reach the pit";
  EXPECT_NEAR(state->root().position.y, -6, 0.01F);
  std::vector<Affine> models(state->pose().rotations.size());
  compute_model_from_joint(*controller().skeleton(), state->pose(), models);
  for (const Leg& leg : controller().legs())
    EXPECT_NEAR(models[static_cast<std::size_t>(leg.ankle)].t.y, leg.ankle_height_m - 6, 0.1F);
}

// Steps below the limit are the spring's own: the limit changes nothing of what networks were trained on.
TEST(GroundPlaneLimit, SmallStepsAreTheSpringsOwn) {
  const GroundPtr step = Ground::function([](float, float z) { return z > 0 ? 0.9F : 0.0F; });
  Spring<float> plane{0, 0}, free{0, 0};
  for (int i = 0; i < 60; ++i) {
    plane = GroundPlane::after(plane, *step, {0, 0, 1}, {}, 1.0F / 60);
    free = advance(free, 0.9F, GroundPlane::kHalfLife_s, 1.0F / 60);
    ASSERT_EQ(plane, free);
  }
}

}  // namespace
}  // namespace zoe::control
