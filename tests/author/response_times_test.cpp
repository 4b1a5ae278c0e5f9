// SPDX-License-Identifier: MIT
#include "zoe/author/response_times.h"

#include <gtest/gtest.h>

#include "control/walker.h"

namespace zoe::author {
namespace {

namespace test = control::test;

// measure(layout, decoder, clips) of a motion.
template <typename Measure>
auto measured(const Motion& motion, const Measure& measure) {
  const SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
  const features::Layout layout =
      features::Layout::compile(schema_of(*find_type("mann").value(), {}).value(), *motion.skeleton, analysis).value();
  const std::vector<float> rows = features::build_frame_rows(layout, {.motion = &motion}).value();
  const features::ClipRows clip{rows.data(), features::num_rows(layout, motion)};
  const features::Decoder decoder = features::Decoder::create(layout, motion.skeleton).value();
  return measure(layout, decoder, std::span(&clip, 1));
}

// A synthetic walk with turns, starts and stops, played at another tempo.
std::optional<ResponseTimes> times_of(double tempo) {
  Motion motion = test::walking(synth::Course::kWander, 60);
  motion.fps *= tempo;
  return measured(motion, measure_response_times);
}

// It walks forward, turns on its way, and never backward or sideways.
TEST(BodyReach, IsWhatTheMotionDoes) {
  const auto reach = measured(test::walking(synth::Course::kWander, 60), measure_reach);
  ASSERT_TRUE(reach);
  EXPECT_LT(reach->back_mps, 0.05F);
  EXPECT_LT(reach->side_mps, 0.3F);
  EXPECT_GT(reach->turn_rad_s, 0.2F);
  EXPECT_LT(reach->turning_mps, 0.3F) << "its fastest turns are nearly on the spot";
  const auto bound = limits_of(*reach, {});
  EXPECT_NEAR(bound.back_mps, 1.1F * reach->back_mps, 1e-3F);
  EXPECT_LE(bound.max_turn_speed_rad_s, control::TrajectoryOptions{}.max_turn_speed_rad_s);
  const auto straight = measured(test::walking(synth::Course::kStraight, 20), measure_reach);
  ASSERT_TRUE(straight);
  EXPECT_LT(straight->turn_rad_s, reach->turn_rad_s);
}

// Roots are smoothed over a second, so times do not shrink in proportion.
TEST(ResponseTimes, ScaleWithTheTempoOfTheMotion) {
  const auto slow = times_of(0.7), fast = times_of(1.6);
  ASSERT_TRUE(slow && fast);
  EXPECT_GT(slow->velocity_s, 0.05F);
  EXPECT_GT(slow->turn_s, 0.05F);
  EXPECT_LT(fast->velocity_s, 0.9F * slow->velocity_s);
  EXPECT_LT(fast->turn_s, 0.9F * slow->turn_s);
}

TEST(ResponseTimes, NeedMomentsThatMove) {
  const test::Walker walker = test::make_walker("mann");
  const features::Decoder decoder = features::Decoder::create(walker.layout, walker.motion.skeleton).value();
  EXPECT_FALSE(measure_response_times(walker.layout, decoder, {}));
  const features::ClipRows few{walker.rows.data(), 12};
  EXPECT_FALSE(measure_response_times(walker.layout, decoder, {&few, 1}));
}

TEST(HalfLives, OfAPersonStayAndOthersFollowTheirResponse) {
  const control::TrajectoryOptions usual{.velocity_half_life_s = 0.1F, .facing_half_life_s = 0.12F};
  constexpr ResponseTimes kPerson = ResponseTimes::of_a_person();
  EXPECT_EQ(half_lives_of(kPerson, usual).velocity_half_life_s, 0.1F);
  EXPECT_EQ(half_lives_of(kPerson, usual).facing_half_life_s, 0.12F);
  EXPECT_EQ(half_lives_of(kPerson, usual).max_turn_speed_rad_s, usual.max_turn_speed_rad_s);
  const auto quick = half_lives_of({0.75F * kPerson.velocity_s, 1.5F * kPerson.turn_s}, usual);
  EXPECT_NEAR(quick.velocity_half_life_s, 0.075F, 1e-6F);
  EXPECT_NEAR(quick.facing_half_life_s, 0.18F, 1e-6F);
  // Within bounds, whatever the data says.
  EXPECT_NEAR(half_lives_of({0.001F, 100}, usual).velocity_half_life_s, 0.05F, 1e-6F);
  EXPECT_NEAR(half_lives_of({0.001F, 100}, usual).facing_half_life_s, 0.24F, 1e-6F);
}

}  // namespace
}  // namespace zoe::author
