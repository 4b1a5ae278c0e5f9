// SPDX-License-Identifier: MIT
// A body's own speeds, and labels by name: what callers need not look up themselves.
#include "zoe/control/motion_range.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "zoe/control/load.h"
#include "zoe/control/sources.h"
#include "zoe/control/types.h"

#include "control/every_type.h"
#include "control/toy_controller.h"
#include "support/data.h"

namespace zoe::control {
namespace {

TEST(MotionRange, DefaultsAreAPersons) {
  const MotionRange person;
  EXPECT_EQ(person.speed_mps(Gait::kAuto), 1.4F);
  EXPECT_EQ(person.speed_mps(Gait::kWalk), 1.4F);
  EXPECT_EQ(person.speed_mps(Gait::kJog), 2.5F);
  EXPECT_EQ(person.speed_mps(Gait::kRun), 4.0F);
  EXPECT_EQ(person.speed_mps(Gait::kCrouch), 0.8F);
  EXPECT_EQ(person.speed_mps(Gait::kStand), 0.0F);
  EXPECT_EQ(person.stick_mps(), 1.6F);
  EXPECT_EQ(person.stick_walk_mps(), 0.8F);
  EXPECT_EQ(person.stick_run_mps(), 3.2F);
}

TEST(MotionRange, FollowsTheMeasuredSpeeds) {
  const MotionRange dog = MotionRange::measured(0.7F, 1.2F, 2);
  EXPECT_EQ(dog.pace_mps, 0.7F);
  EXPECT_EQ(dog.speed_mps(Gait::kWalk), 0.7F);
  EXPECT_EQ(dog.speed_mps(Gait::kRun), 1.2F);
  EXPECT_GT(dog.speed_mps(Gait::kJog), 0.7F);
  EXPECT_LT(dog.speed_mps(Gait::kJog), 1.2F);
  EXPECT_NEAR(dog.stick_mps(), 0.8F, 1e-6F);
  EXPECT_EQ(dog.stick_run_mps(), 1.2F) << "not faster than it ever was";
  EXPECT_EQ(dog.turn_speed_rad_s, 2);
  // A pace alone: the rest in a person's proportions.
  EXPECT_NEAR(MotionRange::measured(0.7F).run_mps, 2, 1e-6F);
  // Clips that all go at one speed.
  EXPECT_EQ(MotionRange::measured(1, 0.9F).run_mps, 1);
}

TEST(MotionRange, IsMeasuredOnTheBodysClipsAndKeptInItsFile) {
  const Body body = test::body_of(test::styled_walkers());  // Walks and runs.
  const MotionRange& range = body.motion_range;
  EXPECT_GT(range.pace_mps, 0.3F);
  EXPECT_GT(range.run_mps, 1.3F * range.pace_mps);
  EXPECT_GT(range.turn_speed_rad_s, 0.1F);
  const auto path = zoe::test::temporary_dir("motion_range") / "body.safetensors";
  ASSERT_TRUE(save_body(path, body));
  EXPECT_EQ(load_body(path)->motion_range, range);
  Body person = body;
  person.motion_range = {};
  ASSERT_TRUE(save_body(path, person));
  EXPECT_EQ(load_body(path)->motion_range, MotionRange());
  person.motion_range.run_mps = -1;
  ASSERT_TRUE(save_body(path, person));
  EXPECT_FALSE(load_body(path));
}

// Their files are of earlier versions: the walker's has no pace, the dog's has one.
TEST(MotionRange, OfTheModelsThatShip) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "run by ctest";
  const std::filesystem::path models = std::filesystem::path(source) / "models";
  EXPECT_EQ(load_body(models / "walker/body.safetensors")->motion_range, MotionRange());
  const MotionRange dog = load_body(models / "dog/body.safetensors")->motion_range;
  EXPECT_NEAR(dog.pace_mps, 0.9F, 0.01F);
  EXPECT_EQ(dog.speed_mps(Gait::kWalk), dog.pace_mps);
  const ControllerPtr walker = load_controller(models / "walker").value();
  EXPECT_EQ(walker->motion_range(), MotionRange());
}

TEST(MotionRange, GoalsAndSticksUseIt) {
  const auto speed_to_goal = [](const MotionRange& range, Gait gait) {
    const test::ToyController controller(60, range);
    const auto state = controller.make_state();
    Intent go;
    go.gait = gait;
    go.goal = WantedPlace{{0, 0, 50}, {}};
    for (int i = 0; i < 180; ++i) controller.tick(*state, go, 1.0 / 60);
    return state->speed_mps();
  };
  EXPECT_NEAR(speed_to_goal({}, Gait::kAuto), 1.4F, 1e-3F);
  EXPECT_NEAR(speed_to_goal({}, Gait::kRun), 4, 1e-2F);
  const MotionRange dog = MotionRange::measured(0.9F);
  EXPECT_NEAR(speed_to_goal(dog, Gait::kAuto), 0.9F, 1e-3F);
  EXPECT_NEAR(length(from_sticks({.move_y = 1}, 0, dog).velocity_at(0)), 0.9F * 1.6F / 1.4F, 1e-4F);
  EXPECT_NEAR(length(from_sticks({.move_y = 1}, 0).velocity_at(0)), 1.6F, 1e-5F);
}

TEST(Labels, AreSetByName) {
  const Controller& controller = *test::controller_of("mann");
  Intent intent;
  ASSERT_TRUE(controller.set_style(intent, "hasty"));
  ASSERT_TRUE(controller.set_style(intent, "calm", 0.25F));
  ASSERT_TRUE(controller.set_action(intent, "sit", 0.5F));
  EXPECT_EQ(intent.styles[0], 0.25F);
  EXPECT_EQ(intent.styles[1], 1);
  EXPECT_EQ(intent.actions[0], 0.5F);
  const Result<void> unknown = controller.set_style(intent, "hastey");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("did you mean 'hasty'"), std::string::npos) << unknown.error().message;
  EXPECT_EQ(intent.styles[1], 1);
  ASSERT_TRUE(controller.set_style(intent, "none"));
  EXPECT_EQ(intent.styles[0] + intent.styles[1], 0);
  const Result<void> none = test::controller_of("pfnn")->set_action(intent, "sit");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no actions"), std::string::npos);
}

}  // namespace
}  // namespace zoe::control
