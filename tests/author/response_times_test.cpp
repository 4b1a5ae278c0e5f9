// SPDX-License-Identifier: MIT
#include "zoe/author/response_times.h"

#include <gtest/gtest.h>

#include "control/walker.h"

namespace zoe::author {
namespace {

namespace test = control::test;

// A synthetic walk with turns, starts and stops, played at another tempo.
std::optional<ResponseTimes> times_of(double tempo) {
  Motion motion = test::walking(synth::Course::kWander, 60);
  motion.fps *= tempo;
  const SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
  const features::Layout layout =
      features::Layout::compile(schema_of(*find_type("mann").value(), {}).value(), *motion.skeleton, analysis).value();
  const std::vector<float> rows = features::build_frame_rows(layout, {.motion = &motion}).value();
  const features::ClipRows clip{rows.data(), features::num_rows(layout, motion)};
  const features::Decoder decoder = features::Decoder::create(layout, motion.skeleton).value();
  return measure_response_times(layout, decoder, {&clip, 1});
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
