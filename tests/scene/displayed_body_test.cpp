// SPDX-License-Identifier: MIT
#include "zoe/scene/displayed_body.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/control/load.h"
#include "zoe/motion/frame_span.h"
#include "zoe/scene/controlled_actor.h"
#include "zoe/scene/crowd_actors.h"
#include "zoe/scene/scene.h"
#include "zoe/synth/body.h"

#include "support/allocation.h"

namespace zoe::scene {
namespace {

using control::Intent;

control::ControllerPtr load(const char* model) {
  return control::load_controller(std::filesystem::path(std::getenv("ZOE_SOURCE_DIR")) / "models" / model).value();
}

class Ahead final : public control::IntentSource {
 public:
  Intent next(const PlanarRoot&, double) override { return Intent::move({0, 0, 1.2F}); }
};

struct SynthBody {
  synth::Body body;
  SkeletonAnalysis analysis;
  DisplayedBody displayed;
};
SynthBody body_for(const control::Controller& controller, BodyFamily family, float size) {
  SynthBody out{synth::make_body(family, Random(1), {.size = size}), {}, {}};
  out.analysis = analyse(*out.body.skeleton, {}, out.body.character.get());
  out.displayed = make_displayed_body(controller, out.body.character, out.analysis,
                                      reference_pose(*out.body.skeleton, out.analysis, {}, out.body.character.get()))
                      .value();
  return out;
}

class OnAnotherBody : public testing::TestWithParam<std::pair<const char*, BodyFamily>> {};
INSTANTIATE_TEST_SUITE_P(Shipped, OnAnotherBody,
                         testing::Values(std::pair{"walker", BodyFamily::kBiped},
                                         std::pair{"dog", BodyFamily::kQuadruped}));

// Distances are scaled by the legs; feet that are in contact stay where they are.
TEST_P(OnAnotherBody, WalksScaledWithFeetThatStand) {
  const control::ControllerPtr controller = load(GetParam().first);
  const SynthBody made = body_for(*controller, GetParam().second, 0.5F);
  const float scale = made.displayed.scale();
  EXPECT_GT(scale, 0.1F);
  Scene scene;
  const Entity entity =
      add_controlled_actor(scene.world(), controller, drive_by(std::make_unique<Ahead>()), {.body = made.displayed});
  const auto& actor = scene.world().get<Actor>(entity);
  const auto& controlled = scene.world().get<ControlledActor>(entity);
  EXPECT_EQ(actor.character, made.body.character);
  const std::vector<int>& feet = made.analysis.feet;
  ASSERT_GE(feet.size(), 2U);
  std::vector<double> slowest;
  float lowest_m = 1;
  for (int i = 0; i < 300; ++i) {
    scene.step();
    if (i < 60) continue;
    double slow_mps = 1e9;
    for (const int foot : feet) {
      slow_mps = std::min(slow_mps, static_cast<double>(length(joint_velocity_model(actor, foot, 1.0 / 60))));
      lowest_m = std::min(lowest_m, actor.model_from_joint[static_cast<std::size_t>(foot)].t.y);
    }
    slowest.push_back(slow_mps / static_cast<double>(scale));
  }
  EXPECT_NEAR(controlled.root_between(1).position.z, scale * controlled.state().root().position.z, 1e-4F);
  EXPECT_GT(controlled.state().root().position.z, 3.0F);
  // The hips of the displayed body are above its drawn root.
  const Vec3 hips = actor.model_from_joint[static_cast<std::size_t>(made.analysis.hips)].t;
  EXPECT_NEAR(hips.z, controlled.root_between(1).position.z,
              0.35F * made.body.leg_length_m + 0.35F * made.body.body_length_m);
  std::nth_element(slowest.begin(), slowest.begin() + static_cast<std::ptrdiff_t>(slowest.size() / 2), slowest.end());
  EXPECT_LT(slowest[slowest.size() / 2], 0.15);  // Of the controller's metres per second: one foot stands.
  EXPECT_GT(lowest_m, -0.05F * made.body.leg_length_m);
}

TEST(DisplayedBody, OfTheControllersOwnSkeletonShowsItsPoses) {
  const control::ControllerPtr controller = load("walker");
  auto character = std::make_shared<Character>();
  character->skeleton = controller->skeleton();
  const SkeletonAnalysis analysis = analyse(*controller->skeleton());
  const DisplayedBody body =
      make_displayed_body(*controller, character, analysis, make_pose(*character->skeleton)).value();
  EXPECT_EQ(body.retarget, nullptr);
  EXPECT_EQ(body.scale(), 1);
  BodyPoser poser(body);
  const auto state = controller->make_state();
  EXPECT_EQ(poser.run(state->pose()).rotations.data(), state->pose().rotations.data());
}

TEST(DisplayedBody, MotionsAndCrowdsShowTheSamePosesAsAnActor) {
  const control::ControllerPtr controller = load("walker");
  const SynthBody made = body_for(*controller, BodyFamily::kBiped, 1);
  Scene scene;
  const PlanarRoot start[] = {{}};
  const auto crowd = std::make_shared<control::Crowd>(controller, start);
  const Entity crowd_entity = add_crowd_actors(
      scene.world(), crowd,
      [](const control::Crowd&, std::span<Intent> intents, double) {
        intents[0] = Intent::move({0, 0, 1.2F});
      },
      made.displayed);
  const Entity body = scene.world().get<CrowdActors>(crowd_entity).bodies()[0];
  Motion recorded = make_motion(controller->skeleton(), "walk", 60, 30, false);
  std::vector<Pose> shown;
  for (int i = 0; i < 30; ++i) {
    scene.step();
    copy_pose(crowd->state(0).pose(), frame_span(recorded, i));
    shown.push_back(scene.world().get<Actor>(body).pose);
  }
  const Motion moved = displayed_motion(recorded, made.displayed);
  ASSERT_EQ(moved.num_frames, 30);
  EXPECT_EQ(moved.skeleton, made.body.skeleton);
  for (int i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < shown[0].rotations.size(); ++j) {
      const Pose& pose = shown[static_cast<std::size_t>(i)];
      ASSERT_LT(angle_between(moved.frame(i).rotations[j], pose.rotations[j]), 2e-3F) << i << " " << j;
      ASSERT_LT(distance(moved.frame(i).translations[j], pose.translations[j]), 1e-5F) << i << " " << j;
    }
  }
}

TEST(DisplayedBody, AllocatesNothingPerStep) {
  const control::ControllerPtr controller = load("walker");
  const SynthBody made = body_for(*controller, BodyFamily::kBiped, 1);
  BodyPoser poser(made.displayed);
  const auto state = controller->make_state();
  poser.run(state->pose());
  const test::AllocationMeter meter;
  for (int i = 0; i < 10; ++i) poser.run(state->pose());
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe::scene
