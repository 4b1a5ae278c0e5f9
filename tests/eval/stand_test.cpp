// SPDX-License-Identifier: MIT
// Drift, twist, stop and start of controllers whose values are known.
#include "zoe/eval/stand.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/author/make_body.h"
#include "zoe/control/match/motion_matching.h"

#include "control/walkers.h"
#include "eval/motions.h"

namespace zoe::eval {
namespace {

using test::ObedientController;

control::Body toy_body(const control::Controller& controller) {
  control::Body body;
  body.skeleton = controller.skeleton();
  body.start = make_pose(*body.skeleton);
  body.legs = {test::one_leg(0.1F)};
  return body;
}

// Takes over a velocity after 12 steps of 1/60 s, and glides.
TEST(StandMeasure, StopsStartsAndSlidesOfAGlidingBody) {
  const ObedientController controller(control::test::toy_skeleton(), 60, 12);
  const StandMetrics found = measure_stand(controller, toy_body(controller), {.seconds = 5, .speed_mps = 1});
  EXPECT_NEAR(found.drift_cm, 0, 1e-3);
  EXPECT_NEAR(found.turn_deg, 0, 1e-3);
  EXPECT_NEAR(found.twist_deg, 0, 1e-3);
  // Speeds are over two ticks.
  EXPECT_NEAR(found.start_s, 13.5 / 60, 0.6 / 60);
  EXPECT_NEAR(found.stop_s, 13.0 / 60, 1e-6);
  EXPECT_NEAR(found.stop_slide_cm, 100 * 12.0 / 60, 0.01);
  EXPECT_NEAR(found.start_slide_cm, 100 * 48.0 / 60, 100 * 1.1 / 60);
}

// Drifts and turns while nothing is desired; its foot stays behind the hips.
class Drifting final : public ObedientController {
 public:
  Drifting() : ObedientController(control::test::toy_skeleton(), 60) {}

 protected:
  void step(const control::StepItem& item) const noexcept override {
    ObedientController::step(item);
    if (length(item.intent->velocity_at(0)) > 0) return;
    auto& own = static_cast<State&>(*item.state);
    own.root.position.x += 0.01F / 60;
    own.root.facing_rad += 0.02F / 60;
    item.now->root = own.root;
    item.now->pose.translations[0] = own.root.position + Vec3{0, 1, 0};
    item.now->pose.rotations[0] = {};
  }
};

TEST(StandMeasure, DriftTurnAndTwist) {
  const Drifting controller;
  const StandMetrics found =
      measure_stand(controller, toy_body(controller), {.seconds = 20, .num_stops = 1, .speed_mps = 1});
  EXPECT_NEAR(found.drift_cm, 20, 0.1);
  EXPECT_NEAR(found.turn_deg, 0.4 * 180 / std::numbers::pi, 0.1);
  // The stand after a walk has turned for a second before.
  EXPECT_NEAR(found.twist_deg, 0.42 * 180 / std::numbers::pi, 0.2);
}

// Motion matching on data with and without standing frames.
TEST(StandMeasure, MotionMatchingStands) {
  for (const bool with_idle : {true, false}) {
    SCOPED_TRACE(with_idle);
    zoe::test::Walkers walkers = zoe::test::make_walkers(8);
    if (!with_idle) {  // One walk.
      walkers.clips.resize(1);
      walkers.rows.resize(1);
    }
    std::vector<features::ClipRows> rows;
    for (const author::DatabaseSource& source : walkers.sources()) rows.push_back(source.rows);
    const control::Body body = author::make_body(walkers.layout, walkers.skeleton, rows).value();
    EXPECT_EQ(body.stand_source, with_idle ? control::StandSource::kFrame : control::StandSource::kMean);
    const control::ControllerPtr controller =
        control::make_motion_matching(std::make_shared<const control::MotionDatabase>(walkers.database()), body)
            .value();
    const StandMetrics found = measure_stand(*controller, body);
    EXPECT_LT(found.drift_cm, 2);
    EXPECT_LT(found.turn_deg, 3);
    EXPECT_LT(found.twist_deg, 30);
    EXPECT_LT(found.stop_s, 0.5);
    EXPECT_LT(found.start_s, 0.5);
    // It includes the tenth of a second before the stand. There a single walk has no stop to play.
    EXPECT_LT(found.stop_slide_cm, with_idle ? 6 : 15);
    EXPECT_LT(found.start_slide_cm, 6);
  }
}

}  // namespace
}  // namespace zoe::eval
