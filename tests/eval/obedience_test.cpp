// SPDX-License-Identifier: MIT
// How well roots follow what was desired: paths, facings, speeds and the time of an answer, with known results.
#include <numbers>

#include <gtest/gtest.h>

#include "eval/motions.h"

namespace zoe::eval {
namespace {

using test::ObedientController;
using test::root_recording;

constexpr float kPi = std::numbers::pi_v<float>;

control::Path circle_path(float radius_m) {
  std::vector<Vec3> places;
  for (int i = 0; i < 720; ++i) {
    const float angle = 2 * kPi * static_cast<float>(i) / 720;
    places.push_back({radius_m * std::sin(angle), 0, radius_m * std::cos(angle)});
  }
  return control::Path::create(std::move(places), true).value();
}
// Round a circle once every 2 pi seconds.
auto on_circle(float radius_m, Vec3 centre = {}) {
  return [=](double t) {
    const auto angle = static_cast<float>(t);
    return PlanarRoot{centre + Vec3{radius_m * std::sin(angle), 0, radius_m * std::cos(angle)}, 0};
  };
}

TEST(Obedience, ACircleOfAnotherRadiusIsOffByTheDifference) {
  const control::Path path = circle_path(2);
  for (const float radius_m : {1.5F, 2.0F, 2.3F}) {
    const Recording run = root_recording(600, 60, on_circle(radius_m), {});
    EXPECT_NEAR(measure_obedience(run, &path).path_error_cm, 100 * std::abs(radius_m - 2), 0.6) << radius_m;
  }
}

TEST(Obedience, AShiftedCircleIsOffByTheMeanOfItsDistances) {
  const control::Path path = circle_path(2);
  const Vec3 centre{0.4F, 0, 0};
  const Recording run = root_recording(static_cast<int>(60 * 2 * kPi), 60, on_circle(2, centre), {});
  // Independent: the distance of every root from the circle, in double.
  double expected = 0;
  for (const PlanarRoot& root : run.roots) expected += std::abs(std::hypot(root.position.x, root.position.z) - 2.0);
  expected *= 100 / static_cast<double>(run.roots.size());
  EXPECT_NEAR(measure_obedience(run, &path, 0).path_error_cm, expected, 0.2);
  EXPECT_GT(expected, 20);
}

TEST(Obedience, HeightIsNoPathErrorAndNoPathNoError) {
  const control::Path path = control::Path::create({{0, 0, -10}, {0, 0, 100}}).value();
  const Recording run = root_recording(240, 60,
                                       [](double t) {
                                         return PlanarRoot{{0.25F, 3, static_cast<float>(t)}, 0};
                                       },
                                       {});
  EXPECT_NEAR(measure_obedience(run, &path).path_error_cm, 25, 0.02);
  EXPECT_EQ(measure_obedience(run, nullptr).path_error_cm, 0);
}

TEST(Obedience, FacingsAreComparedAroundTheCircle) {
  for (const float turns : {0.0F, 1.0F, -2.0F}) {
    const Recording run = root_recording(
        240, 60,
        [&](double) {
          return PlanarRoot{{}, kPi - 0.1F + 2 * kPi * turns};
        },
        {}, -kPi + 0.1F);
    EXPECT_NEAR(measure_obedience(run, nullptr).facing_error_deg, 0.2 * 180 / kPi, 1e-3) << turns;
  }
  // Moments without a desired facing are not judged.
  Recording half = root_recording(
      240, 60,
      [](double) {
        return PlanarRoot{{}, 1};
      },
      {}, 0.5F);
  for (std::size_t f = 120; f < 240; f += 2) half.wanted_facing_rad[f] = std::nullopt;
  EXPECT_NEAR(measure_obedience(half, nullptr).facing_error_deg, 0.5 * 180 / kPi, 1e-3);
  const Recording none = root_recording(240, 60, [](double) { return PlanarRoot{{}, 1}; }, {});
  EXPECT_EQ(measure_obedience(none, nullptr).facing_error_deg, 0);
}

TEST(Obedience, SpeedIsComparedBySecondsWhateverTheDirection) {
  for (const double fps : {30.0, 60.0}) {
    const auto going = [](double t) { return PlanarRoot{{1.2F * static_cast<float>(t), 0, 0}, 0}; };
    const int frames = static_cast<int>(6 * fps);
    EXPECT_NEAR(measure_obedience(root_recording(frames, fps, going, {0, 0, 1.5F}), nullptr).speed_error_cm_s, 30, 0.1);
    EXPECT_NEAR(measure_obedience(root_recording(frames, fps, going, {0, 0, 1.2F}), nullptr).speed_error_cm_s, 0, 0.1);
    EXPECT_NEAR(measure_obedience(root_recording(frames, fps, going, {}), nullptr).speed_error_cm_s, 120, 0.1);
  }
  // To and fro within a second averages out of nothing: the way counts, not the displacement.
  const auto to_and_fro = [](double t) {
    const double phase = std::fmod(t, 1.0);
    return PlanarRoot{{static_cast<float>(phase < 0.5 ? phase : 1 - phase), 0, 0}, 0};
  };
  EXPECT_NEAR(measure_obedience(root_recording(360, 60, to_and_fro, {0, 0, 1}), nullptr).speed_error_cm_s, 0, 0.5);
}

TEST(Obedience, TheStartIsNotJudged) {
  const auto late = [](double t) { return PlanarRoot{{t < 1.99 ? 5.0F : 0.0F, 0, 0}, t < 1.99 ? 2.0F : 0.0F}; };
  const control::Path path = control::Path::create({{0, 0, -1}, {0, 0, 1}}).value();
  const Recording run = root_recording(600, 60, late, {}, 0.0F);
  const ObedienceMetrics skipped = measure_obedience(run, &path), whole = measure_obedience(run, &path, 0);
  EXPECT_NEAR(skipped.path_error_cm, 0, 1e-3);
  EXPECT_NEAR(skipped.facing_error_deg, 0, 1e-3);
  EXPECT_NEAR(whole.path_error_cm, 500 * 120 / 600.0, 1);
  EXPECT_NEAR(whole.facing_error_deg, 2 * 180 / kPi * 120 / 600.0, 0.5);
  // A recording shorter than that is judged by its last frame.
  const Recording brief = root_recording(30, 60, late, {}, 0.5F);
  EXPECT_NEAR(measure_obedience(brief, nullptr).facing_error_deg, 1.5 * 180 / kPi, 1e-2);
}

TEST(ResponseTimes, AreTheDelayOfTheController) {
  const SkeletonPtr skeleton = control::test::toy_skeleton();
  for (const double rate_hz : {30.0, 60.0}) {
    for (const int steps : {0, 6, 24}) {
      const std::vector<double> times = response_times_s(ObedientController(skeleton, rate_hz, steps));
      ASSERT_EQ(times.size(), 5U);
      // One step until a change can be seen, one more until half of two steps show it.
      for (const double time_s : times) {
        EXPECT_GE(time_s, (steps + 0.99) / rate_hz);
        EXPECT_LE(time_s, (steps + 3.01) / rate_hz);
      }
    }
  }
}

TEST(ResponseTimes, OfSpringsGrowWithTheirHalfLife) {
  double before = 0;
  for (const float half_life_s : {0.1F, 0.2F, 0.4F}) {
    control::test::ToyController controller;
    controller.half_life_s = half_life_s;
    const double mean = response_times_s(controller)[0];
    EXPECT_GT(mean, before);
    EXPECT_NEAR(mean, half_life_s, 0.4 * half_life_s + 0.04);
    before = mean;
  }
}

TEST(ResponseTimes, HalfOfTheSpeedIsJustEnough) {
  ObedientController controller(control::test::toy_skeleton());
  controller.share = 0.4F;  // Never reaches half of a start.
  EXPECT_EQ(response_times_s(controller)[0], 3);
  controller.share = 0.6F;
  EXPECT_LT(response_times_s(controller)[0], 0.1);
}

}  // namespace
}  // namespace zoe::eval
