// SPDX-License-Identifier: MIT
// Jerk, jitter, variety and the distance to real poses, of joints that move by formulas.
#include <numbers>

#include <gtest/gtest.h>

#include "eval/motions.h"

namespace zoe::eval {
namespace {

using test::foot_motion;

MotionMetrics measured(const Motion& motion) {
  return measure_motion(motion, std::vector<PlanarRoot>(static_cast<std::size_t>(motion.num_frames)), {});
}

TEST(Joints, JerkOfPolynomials) {
  // The third difference of a cubic is exact: 6 a; the hips rest, so the mean over joints is half.
  for (const double fps : {20.0, 30.0, 60.0}) {
    for (const float a : {0.25F, 1.0F}) {
      const Motion cubic = foot_motion(40, fps, [&](double t) {
        return Vec3{0, 0.5F, a * static_cast<float>(t * t * t)};
      });
      EXPECT_NEAR(measured(cubic).jerk_m_s3, 3 * a, 0.35) << fps;
    }
  }
  // Uniform and accelerated motions have none but rounding's.
  const Motion thrown = foot_motion(40, 30, [](double t) {
    return Vec3{static_cast<float>(t), 2 + static_cast<float>(t - t * t / 2), 0};
  });
  EXPECT_LT(measured(thrown).jerk_m_s3, 0.02);
}

TEST(Joints, JerkOfASineGrowsWithTheCubeOfItsFrequency) {
  const auto jerk = [](double hz) {
    return measured(
               foot_motion(600, 120,
                           [&](double t) {
                             return Vec3{0.1F * static_cast<float>(std::sin(2 * std::numbers::pi * hz * t)), 0.5F, 0};
                           }))
        .jerk_m_s3;
  };
  const double omega = 2 * std::numbers::pi;
  // Mean of |cos| is 2 / pi; half of the joints move.
  EXPECT_NEAR(jerk(1), 0.1 * omega * omega * omega / std::numbers::pi, 0.2);
  EXPECT_NEAR(jerk(2) / jerk(1), 8, 0.1);
}

TEST(Joints, JitterSeesWhatIsFasterThanSixHertz) {
  const auto jitter_mm = [](double hz) {
    return measured(foot_motion(
                        1200, 120,
                        [&](double t) {
                          return Vec3{0, 0.5F + 0.01F * static_cast<float>(std::sin(2 * std::numbers::pi * hz * t)), 0};
                        }))
        .jitter_mm;
  };
  EXPECT_LT(jitter_mm(0.5), 0.1);
  EXPECT_LT(jitter_mm(1), 0.3);
  // 10 mm of amplitude, half of the joints: 10 / sqrt(2) / sqrt(2).
  EXPECT_NEAR(jitter_mm(30), 5, 0.1);
  double before = 0;
  for (const double hz : {1.0, 2.0, 4.0, 8.0, 16.0}) {
    const double now = jitter_mm(hz);
    EXPECT_GT(now, before) << hz;
    before = now;
  }
}

TEST(Joints, VarietyIsTheDeviationSeenFromTheRoot) {
  // A circle of 20 cm about its mean: 20 cm for one of two joints.
  const Motion circle = foot_motion(100, 50, [](double t) {
    const double angle = 2 * std::numbers::pi * t;
    return Vec3{0.2F * static_cast<float>(std::cos(angle)), 0.5F, 0.2F * static_cast<float>(std::sin(angle))};
  });
  EXPECT_NEAR(measured(circle).variety_cm, 20 / std::sqrt(2.0), 1e-3);
  EXPECT_NEAR(measured(foot_motion(100, 50, [](double) { return Vec3{1, 2, 3}; })).variety_cm, 0, 1e-4);
}

TEST(Joints, AStiffBodyThatTravelsAndTurnsHasNoVariety) {
  Motion motion = foot_motion(120, 60, [](double) { return Vec3{0.3F, 0.1F, 0.2F}; });
  std::vector<PlanarRoot> roots(120);
  for (std::size_t f = 0; f < roots.size(); ++f) {
    const float t = static_cast<float>(f) / 60;
    roots[f] = {{std::sin(t), 0, 2 * t}, 3 * t};
    motion.translations[2 * f] = roots[f].position + Vec3{0, 1, 0};
    motion.rotations[2 * f] = rotation_of(roots[f]);
  }
  EXPECT_LT(measure_motion(motion, roots, {}).variety_cm, 1e-3);
  EXPECT_GT(measured(motion).variety_cm, 10);  // Seen from the origin it is far from still.
}

TEST(Joints, TooFewFramesOrRootsAreTheCallersBug) {
  const Motion motion = foot_motion(7, 60, [](double) { return Vec3{}; });
  EXPECT_DEATH(measure_motion(motion, std::vector<PlanarRoot>(7), {}), "at least 8 frames");
  const Motion longer = foot_motion(9, 60, [](double) { return Vec3{}; });
  EXPECT_DEATH(measure_motion(longer, std::vector<PlanarRoot>(8), {}), "a root each");
}

TEST(PoseSets, AreSeenFromTheRoot) {
  Motion motion = foot_motion(31, 30, [](double t) { return Vec3{0.2F, 0.1F, static_cast<float>(t)}; });
  std::vector<PlanarRoot> roots(31);
  PoseSet here, there;
  add_poses(motion, roots, 10, here);
  EXPECT_EQ(here.num_joints, 2);
  EXPECT_EQ(here.size(), 4);                         // Frames 0, 10, 20, 30.
  EXPECT_NEAR(here.places[5], 0, 1e-6);              // z of the foot in the first pose,
  EXPECT_NEAR(here.places[6 + 5], 10.0 / 30, 1e-5);  // and in the second.
  test::move_motion(motion, roots, -1.3F, {5, 0, 6});
  add_poses(motion, roots, 10, there);
  ASSERT_EQ(there.places.size(), here.places.size());
  for (std::size_t i = 0; i < here.places.size(); ++i) EXPECT_NEAR(there.places[i], here.places[i], 1e-5) << i;
  EXPECT_NEAR(nearest_pose_cm(there, here), 0, 1e-3);
}

TEST(PoseSets, NearestIsTheMinimumOverRealPosesAndTheMeanOverOthers) {
  const auto set_of = [](std::initializer_list<float> xs) {
    PoseSet set{.num_joints = 1, .places = {}};
    for (const float x : xs) set.places.insert(set.places.end(), {x, 0, 0});
    return set;
  };
  const PoseSet real = set_of({0, 1, 2});
  EXPECT_NEAR(nearest_pose_cm(set_of({0.1F}), real), 10, 1e-3);
  EXPECT_NEAR(nearest_pose_cm(set_of({0.1F, 1.7F}), real), (10 + 30) / 2.0, 1e-3);
  EXPECT_NEAR(nearest_pose_cm(set_of({-3, 5}), real), 300, 1e-3);
  EXPECT_NEAR(nearest_pose_cm(real, real), 0, 1e-6);
  EXPECT_EQ(nearest_pose_cm(real, {}), 0);
  PoseSet wider = real;
  wider.num_joints = 3;
  EXPECT_EQ(nearest_pose_cm(wider, real), 0);  // Other bodies are not compared.
}

}  // namespace
}  // namespace zoe::eval
