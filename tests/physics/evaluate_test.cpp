// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Measures of simulated bodies.
#include "zoe/physics/evaluate.h"

#include "bodies.h"

namespace zoe::physics {
namespace {

TEST(EvaluatePhysics, ScoresAClip) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const auto score = evaluate_clip(made.model, swaying(made, 60), {.seconds = 0.6, .num_seeds = 1});
  ASSERT_TRUE(score) << score.error().format();
  EXPECT_NEAR(score->duration_s, 0.6, 0.05);
  EXPECT_LT(score->assisted.mean_error_m, 0.03);
  EXPECT_EQ(score->alone.mean_assist_n, 0) << "no assist is none at all";
  EXPECT_EQ(score->num_pushes, 1);
  EXPECT_EQ(score->num_recovered, 1);
  EXPECT_TRUE(score->repeats);
}

TEST(EvaluatePhysics, AbuseLeavesFiniteNumbers) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped}) {
    const TestRig made = make_test_rig(family);
    const auto report = soak(made.model, swaying(made, 60), 0.25, 3);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->num_not_finite, 0);
    EXPECT_EQ(report->num_resets, 0);
    EXPECT_GT(report->num_pushes, 0);
    EXPECT_GT(report->num_drops + report->num_teleports, 0);
    EXPECT_GT(report->num_falls, 0);
  }
}

}  // namespace
}  // namespace zoe::physics
