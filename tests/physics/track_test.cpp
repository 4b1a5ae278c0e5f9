// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Simulated bodies that follow clips.
#include "zoe/physics/track_motion.h"

#include "bodies.h"

namespace zoe::physics {
namespace {

double standing_ground(const TestRig& made) {
  return ground_under(*made.model, make_motion(made.body.skeleton, "still", 60, 1, false));
}

TEST(TrackMotion, FollowsWithinThreeCentimetres) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Motion motion = swaying(made, 90);
  const Result<TrackReport> report = track_motion(made.model, motion, {.assist_n = 300});
  ASSERT_TRUE(report);
  EXPECT_LT(report->mean_error_m, 0.03);
  EXPECT_FALSE(report->fall_s);
  EXPECT_EQ(report->num_bad, 0);
  EXPECT_GT(report->mean_assist_n, 0);
  EXPECT_LE(report->worst_assist_n, 300 + 1e-9);
  EXPECT_EQ(report->motion.num_frames, 90);
  EXPECT_NEAR(report->ground_y_m, standing_ground(made), 1e-3);
}

TEST(TrackMotion, SameHashTwiceAnotherWithAPush) {
  const TestRig made = make_test_rig(BodyFamily::kQuadruped);
  const Motion motion = swaying(made, 40);
  const TrackOptions options{.assist_n = 100};
  TrackOptions pushed = options;
  pushed.pushes.push_back({.time_s = 0.2, .force_n = {0.5 * 9.81 * made.plan.mass_kg, 0, 0}});
  const auto first = track_motion(made.model, motion, options), second = track_motion(made.model, motion, options);
  const auto third = track_motion(made.model, motion, pushed);
  ASSERT_TRUE(first && second && third);
  EXPECT_EQ(first->hash, second->hash);
  EXPECT_NE(first->hash, third->hash);
  EXPECT_GT(third->worst_error_m, first->worst_error_m);
}

TEST(TrackMotion, AFadedAssistEndsAtZero) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const auto kept = track_motion(made.model, swaying(made, 60), {.assist_n = 100});
  const auto faded = track_motion(made.model, swaying(made, 60), {.assist_n = 100, .fade_s = 0.3});
  ASSERT_TRUE(kept && faded);
  EXPECT_LT(faded->mean_assist_n, 0.35 * 100);
  EXPECT_LT(faded->mean_assist_n, kept->mean_assist_n);
}

TEST(TrackMotion, AStrongPushIsAFall) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  TrackOptions options;
  options.pushes.push_back({.time_s = 0.1, .force_n = {10 * 9.81 * made.plan.mass_kg, 0, 0}});
  const auto report = track_motion(made.model, swaying(made, 120), options);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->fall_s);
  EXPECT_EQ(report->num_bad, 0);
}

TEST(TrackMotion, RefusesOtherSkeletonsAndShortClips) {
  const TestRig made = make_test_rig(BodyFamily::kBiped), other = make_test_rig(BodyFamily::kSnake);
  EXPECT_FALSE(track_motion(made.model, swaying(other, 30)));
  EXPECT_FALSE(track_motion(made.model, swaying(made, 1)));
}

}  // namespace
}  // namespace zoe::physics
