// SPDX-License-Identifier: MIT
#include "zoe/eval/metrics.h"

#include <gtest/gtest.h>

#include "zoe/eval/courses.h"
#include "zoe/eval/evaluate.h"

#include "eval/motions.h"

namespace zoe::eval {
namespace {

// At 60 frames a second, by the frame's number.
template <typename Foot>
Motion footed(int frames, Foot foot) {
  return test::foot_motion(frames, 60, [&](double time_s) { return foot(static_cast<int>(std::lround(60 * time_s))); });
}

TEST(Metrics, SkateIsTheSpeedOfFeetThatStand) {
  const control::BodyLeg leg = test::one_leg();
  const std::vector<PlanarRoot> roots(120);
  // Slides at 30 cm/s at standing height in the first half; flies at 3 m/s, 20 cm up, in the second.
  const Motion motion = footed(120, [](int f) {
    const float t = static_cast<float>(f) / 60;
    return f < 60 ? Vec3{0.3F * t, 0.1F, 0} : Vec3{3 * t, 0.3F, 0};
  });
  const MotionMetrics metrics = measure_motion(motion, roots, {&leg, 1});
  EXPECT_NEAR(metrics.foot_skate_cm_s, 30, 0.1);
  // Half of the frames count, with weight one at the ground.
  EXPECT_NEAR(metrics.foot_skate_mann_cm_s, 15, 0.5);
  EXPECT_NEAR(metrics.penetration_cm, 0, 1e-4);
  // At 2.5 cm its weight is zero, at 1.25 cm it is 2 - sqrt(2).
  const Motion low = footed(60, [](int f) { return Vec3{0.01F * static_cast<float>(f), 0.1125F, 0}; });
  const auto roots_60 = std::span(roots).first(60);
  EXPECT_NEAR(measure_motion(low, roots_60, {&leg, 1}).foot_skate_mann_cm_s, 60 * (2 - std::sqrt(2.0)), 0.1);
  const Motion deep = footed(60, [](int) { return Vec3{0, 0.07F, 0}; });
  EXPECT_NEAR(measure_motion(deep, roots_60, {&leg, 1}).penetration_cm, 3, 1e-3);
}

TEST(Metrics, FourFeetCountAlike) {
  std::vector<JointDesc> joints{{"hips", kNoJoint, {{0, 1, 0}, {}, {1, 1, 1}}, JointKind::kBone}};
  std::vector<control::BodyLeg> legs;
  for (int i = 1; i <= 4; ++i) {
    joints.push_back({"foot" + std::to_string(i), 0, {}, JointKind::kBone});
    control::BodyLeg leg = test::one_leg();
    leg.leg.ankle = i;
    // Paws and hooves stand at heights of their own.
    leg.leg.ankle_height_m = 0.02F * static_cast<float>(i);
    legs.push_back(leg);
  }
  Motion motion = make_motion(Skeleton::create(std::move(joints)).value(), "four", 60, 60, false);
  for (std::size_t f = 0; f < 60; ++f) {
    for (std::size_t i = 1; i <= 4; ++i) {
      // The fourth slides at 40 cm/s; the others stand.
      const float x = i == 4 ? 0.4F * static_cast<float>(f) / 60 : 0;
      motion.translations[5 * f + i] = Vec3{x, 0.02F * static_cast<float>(i) - 1, 0};
    }
  }
  const std::vector<PlanarRoot> roots(60);
  EXPECT_NEAR(measure_motion(motion, roots, legs).foot_skate_cm_s, 10, 0.1);
  EXPECT_NEAR(measure_motion(motion, roots, legs).foot_skate_mann_cm_s, 10, 0.1);
  EXPECT_NEAR(measure_motion(motion, roots, std::span(legs).first(2)).foot_skate_cm_s, 0, 1e-3);
  // The fourth a centimetre too low is a quarter of one over all.
  for (std::size_t f = 0; f < 60; ++f) motion.translations[5 * f + 4].y -= 0.01F;
  EXPECT_NEAR(measure_motion(motion, roots, legs).penetration_cm, 0.25, 1e-3);
}

TEST(Metrics, JerkAndJitterOfKnownMotions) {
  const std::vector<PlanarRoot> roots(120);
  // x = t³ has a jerk of 6 m/s³ everywhere; the hips rest, so the mean is half of it.
  const Motion cubic = footed(120, [](int f) { return Vec3{std::pow(static_cast<float>(f) / 60, 3.0F), 0.5F, 0}; });
  EXPECT_NEAR(measure_motion(cubic, roots, {}).jerk_m_s3, 3, 0.4);
  const Motion shaking = footed(120, [](int f) { return Vec3{f % 2 == 0 ? 0.01F : -0.01F, 0.5F, 0}; });
  EXPECT_NEAR(measure_motion(shaking, roots, {}).jitter_mm, 10 / std::sqrt(2.0), 0.3);
  const Motion still = footed(120, [](int) { return Vec3{0, 0.5F, 0}; });
  EXPECT_NEAR(measure_motion(still, roots, {}).jitter_mm, 0, 1e-3);
}

TEST(Metrics, SpringsAnswerAfterTheirHalfLife) {
  const control::test::ToyController controller;
  for (const double seconds : response_times_s(controller)) EXPECT_NEAR(seconds, 0.2, 0.05);
  control::test::ToyController stuck;
  stuck.walls = true;
  EXPECT_EQ(response_times_s(stuck)[0], 3);
}

TEST(Metrics, ObedienceOnACircle) {
  const control::test::ToyController controller;
  const auto course = make_course("circle").value();
  const Recording run = record(controller, *course, {.seconds = 12, .fps = 30});
  EXPECT_EQ(run.motion.num_frames, 360);
  EXPECT_EQ(run.tick_us.size(), 360U);
  const ObedienceMetrics obeyed = measure_obedience(run, course->path());
  EXPECT_LT(obeyed.path_error_cm, 6);
  EXPECT_LT(obeyed.facing_error_deg, 12);
  EXPECT_LT(obeyed.speed_error_cm_s, 10);
  // The same run measured against a path one metre aside.
  const auto aside = control::Path::create({{1, 0, -50}, {1, 0, 50}}).value();
  EXPECT_GT(measure_obedience(run, &aside).path_error_cm, 40);
}

TEST(Metrics, NearestPose) {
  PoseSet real, made;
  const std::vector<PlanarRoot> roots(10);
  add_poses(footed(10, [](int f) { return Vec3{0.1F * static_cast<float>(f), 0.5F, 0}; }), roots, 1, real);
  add_poses(footed(10, [](int) { return Vec3{0.32F, 0.5F, 0}; }), roots, 5, made);
  EXPECT_EQ(made.size(), 2);
  EXPECT_NEAR(nearest_pose_cm(made, real), 1, 1e-3);  // 2 cm of one of two joints.
  EXPECT_EQ(nearest_pose_cm({}, real), 0);
}

TEST(Evaluate, RunsAllCoursesAndPrintsThem) {
  const control::test::ToyController controller;
  control::Body body;
  body.skeleton = controller.skeleton();
  body.legs = {test::one_leg()};
  int runs = 0;
  const Evaluation found =
      evaluate(controller, body, nullptr, {.num_seeds = 2, .seconds = 5, .on_run = [&] { ++runs; }}).value();
  EXPECT_EQ(runs, 12);
  EXPECT_EQ(found.courses.size(), 6U);
  const std::string json = to_json({&found, 1}), table = to_markdown({&found, 1});
  for (const char* name : {"foot_skate_cm_s", "path_error_cm", "response_s", "tick_us", "model_mb"}) {
    EXPECT_NE(json.find(name), std::string::npos) << name;
    EXPECT_NE(table.find(name), std::string::npos) << name;
  }
  EXPECT_FALSE(evaluate(controller, body, nullptr, {.courses = {"nowhere"}}));
}

TEST(SkateBySpeed, ComparesAtEqualSpeeds) {
  SkateBySpeed real, made;
  real.sum_mps[0] = 1 * 1000 * 0.01;  // Stands a thousand contacts long, 1 cm/s.
  real.count[0] = 1000;
  real.sum_mps[10] = 100 * 0.2;  // Goes at 1 m/s for a hundred, 20 cm/s.
  real.count[10] = 100;
  real.sum_mps[20] = 29 * 9.0;  // Too few to be believed.
  real.count[20] = 29;
  made.sum_mps[10] = 300 * 0.25;
  made.count[10] = 300;
  made.count[21] = 100;  // Nobody real went so fast: as at 1 m/s.
  made.sum_mps[21] = 100 * 0.25;
  EXPECT_NEAR(skate_at_speeds_cm_s(real, made), 20, 1e-9);
  made.count[1] = 400;
  EXPECT_NEAR(skate_at_speeds_cm_s(real, made), 10.5, 1e-9);
  EXPECT_NEAR(made.mean_cm_s(), 12.5, 1e-9);
  EXPECT_EQ(skate_at_speeds_cm_s({}, made), 0);
  EXPECT_EQ(skate_at_speeds_cm_s(real, {}), 0);
}

}  // namespace
}  // namespace zoe::eval
