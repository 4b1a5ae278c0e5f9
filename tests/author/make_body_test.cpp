// SPDX-License-Identifier: MIT
#include "zoe/author/make_body.h"

#include <gtest/gtest.h>

#include "control/walker.h"

namespace zoe::author {
namespace {

using control::Body;
using control::BodyLeg;
namespace test = control::test;

TEST(Body, FindsLegsKneesAndStandingHeights) {
  const test::Walker walker = test::make_walker("mm");
  const Body body = test::walker_body(walker);
  ASSERT_EQ(body.legs.size(), 2U);
  std::vector<Affine> models(static_cast<std::size_t>(body.skeleton->num_joints()));
  compute_model_from_joint(*body.skeleton, body.start.view(), models);
  for (const BodyLeg& leg : body.legs) {
    EXPECT_EQ(body.skeleton->parent(leg.leg.knee), leg.leg.hip);
    EXPECT_NE(leg.leg.ball, kNoJoint);
    EXPECT_GT(leg.leg.ankle_height_m, leg.leg.ball_height_m);
    EXPECT_LT(leg.leg.ankle_height_m, 0.2F);
    // Shins go back when knees bend: the axis points to the body's side, left being +X.
    const Vec3 axis = rotate(rotation_of(models[static_cast<std::size_t>(leg.leg.knee)]), leg.leg.knee_axis);
    EXPECT_GT(std::abs(axis.x), 0.9F);
    EXPECT_GT(axis.x, 0);
  }
  // It starts upright over the origin.
  EXPECT_GT(models[static_cast<std::size_t>(body.legs[0].leg.hip)].t.y, 0.5F);
  EXPECT_LT(std::abs(models[static_cast<std::size_t>(body.legs[0].leg.hip)].t.z), 0.3F);
}

// Data that never stands: upright, legs nearly straight below the hips, both alike.
TEST(Body, StandsAsInMidStanceWhereTheDataNeverStands) {
  const Body body = test::walker_body(test::make_walker("mm", synth::Course::kStraight));
  EXPECT_EQ(body.stand_source, control::StandSource::kMean);
  std::vector<Affine> models(static_cast<std::size_t>(body.skeleton->num_joints()));
  compute_model_from_joint(*body.skeleton, body.stand.view(), models);
  for (const BodyLeg& leg : body.legs) {
    const Vec3 hip = models[static_cast<std::size_t>(leg.leg.hip)].t,
               knee = models[static_cast<std::size_t>(leg.leg.knee)].t,
               ankle = models[static_cast<std::size_t>(leg.leg.ankle)].t;
    const float length_m = length(knee - hip) + length(ankle - knee);
    EXPECT_LT(std::abs(ankle.z - hip.z), 0.15F * length_m);
    EXPECT_GT(hip.y - leg.leg.ankle_height_m, 0.9F * length_m);
    EXPECT_LT(hip.y - leg.leg.ankle_height_m, length_m);
  }
}

TEST(Body, PaceIsHowFastTheDataGoes) {
  const test::Walker walker = test::make_walker("mm", synth::Course::kStraight);
  const Motion& motion = walker.motion;
  const std::size_t last = motion.translations.size() - static_cast<std::size_t>(motion.num_joints());
  const Vec3 way = motion.translations[last] - motion.translations[0];
  EXPECT_NEAR(test::walker_body(walker).motion_range.pace_mps, std::hypot(way.x, way.z) / motion.duration_s(), 0.1);
}

// Where an analysis calls the hock a foot, which never comes down, there are still four legs, down to the paws.
TEST(Body, FourLegsEndWhereTheyStand) {
  const synth::Body dog = synth::make_body(BodyFamily::kQuadruped, Random(36).split(0).split(1), {.mesh = false});
  const Motion motion = synth::make_clip(dog, {.seconds = 6, .fps = 30}, Random(1)).value().motion;
  SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
  ASSERT_EQ(analysis.feet.size(), 4U);
  for (const bool as_found : {true, false}) {
    const std::vector<int> paws = analysis.feet;
    if (!as_found) {
      for (int& foot : analysis.feet) foot = motion.skeleton->parent(foot);
    }
    const auto layout = features::Layout::compile(features::Schema::parse(find_type("mann").value()->schema).value(),
                                                  *motion.skeleton, analysis);
    ASSERT_TRUE(layout);
    const std::vector<float> rows = features::build_frame_rows(*layout, {.motion = &motion}).value();
    const features::ClipRows clip{rows.data(), features::num_rows(*layout, motion)};
    const Body body = make_body(*layout, motion.skeleton, {&clip, 1}).value();
    ASSERT_EQ(body.legs.size(), 4U);
    std::vector<Affine> models(static_cast<std::size_t>(body.skeleton->num_joints()));
    compute_model_from_joint(*body.skeleton, body.start.view(), models);
    for (const BodyLeg& leg : body.legs) {
      const int lowest = leg.leg.ball != kNoJoint ? leg.leg.ball : leg.leg.ankle;
      EXPECT_NE(std::find(paws.begin(), paws.end(), lowest), paws.end()) << body.skeleton->name(lowest);
      EXPECT_LT(leg.leg.ball != kNoJoint ? leg.leg.ball_height_m : leg.leg.ankle_height_m, 0.06F);
      // No leg turns what carries another.
      for (const BodyLeg& other : body.legs) {
        int up = other.leg.ankle;
        while (up != kNoJoint && up != leg.leg.hip) up = body.skeleton->parent(up);
        EXPECT_EQ(up == leg.leg.hip, other.leg.ankle == leg.leg.ankle) << body.skeleton->name(leg.leg.hip);
      }
      // Knees bend forward, elbows back.
      const Vec3 axis = rotate(rotation_of(models[static_cast<std::size_t>(leg.leg.knee)]), leg.leg.knee_axis);
      const bool is_front = models[static_cast<std::size_t>(leg.leg.ankle)].t.z > 0.2F;
      // A hind leg's hock never stands; a foreleg's wrist, over the paw, does.
      EXPECT_EQ(leg.leg.ball == kNoJoint, as_found || !is_front);
      EXPECT_GT(is_front ? -axis.x : axis.x, 0.9F) << body.skeleton->name(leg.leg.knee);
    }
  }
}

TEST(Body, NeedsRows) {
  const test::Walker walker = test::make_walker("mm");
  const auto none = make_body(walker.layout, walker.motion.skeleton, {});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no clips"), std::string::npos);
  features::ClipRows one = walker.clip;
  one.num_rows = 1;
  EXPECT_FALSE(make_body(walker.layout, walker.motion.skeleton, {&one, 1})) << "a step needs two rows";
}

}  // namespace
}  // namespace zoe::author
