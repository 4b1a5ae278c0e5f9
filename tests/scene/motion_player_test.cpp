// SPDX-License-Identifier: MIT
#include "zoe/scene/motion_player.h"

#include <gtest/gtest.h>

#include "scene/rig.h"
#include "support/allocation.h"

namespace zoe::scene {
namespace {

constexpr double kStep = 1.0 / 60;

float largest_angle(const Pose& a, const Pose& b) {
  float most = 0;
  for (std::size_t j = 0; j < a.rotations.size(); ++j)
    most = std::max(most, angle_between(a.rotations[j], b.rotations[j]));
  return most;
}

struct Stage {
  CharacterPtr character = make_rig();
  Actor actor = make_actor(character);
  MotionPlayer player;

  void step(int n = 1) {
    for (int i = 0; i < n; ++i) {
      keep_before(actor);
      player.step(kStep, actor);
    }
  }
  Pose sampled(const MotionPtr& clip, double time_s, Wrap wrap) const {
    Pose pose = make_pose(*character->skeleton);
    sample(*clip, clip->start_time_s + time_s, wrap, pose);
    return pose;
  }
};

TEST(MotionPlayer, ShowsTheClipAtItsTime) {
  Stage stage;
  stage.step();  // Plays nothing: stays at rest.
  EXPECT_EQ(stage.actor.pose.rotations, make_pose(*stage.character->skeleton).rotations);
  const MotionPtr clip = make_clip(stage.character->skeleton, 0, 0.5F);
  ASSERT_TRUE(stage.player.play(clip, *stage.character->skeleton, {.start_s = 0.3, .speed = 1.5F, .fade_s = 0}));
  stage.step(40);
  EXPECT_NEAR(stage.player.time_s(), 0.3 + 40 * kStep * 1.5, 1e-9);
  EXPECT_LT(largest_angle(stage.actor.pose, stage.sampled(clip, stage.player.time_s(), Wrap::kLoop)), 1e-6F);
  EXPECT_NEAR(stage.actor.morph_weights[0], std::sin(stage.player.time_s() * 3.14159265), 0.01);
}

TEST(MotionPlayer, LoopsEndsAndRunsBackwards) {
  Stage stage;
  const MotionPtr clip = make_clip(stage.character->skeleton, 0.4F, 0.5F);  // Two seconds.
  const Skeleton& skeleton = *stage.character->skeleton;
  ASSERT_TRUE(stage.player.play(clip, skeleton, {.fade_s = 0}));
  stage.step(150);  // 2.5 s.
  EXPECT_FALSE(stage.player.finished());
  EXPECT_LT(largest_angle(stage.actor.pose, stage.sampled(clip, 0.5, Wrap::kClamp)), 1e-4F);
  ASSERT_TRUE(stage.player.play(clip, skeleton, {.wrap = Wrap::kClamp, .fade_s = 0}));
  stage.step(119);
  EXPECT_FALSE(stage.player.finished());
  stage.step(60);
  EXPECT_TRUE(stage.player.finished());
  EXPECT_LT(largest_angle(stage.actor.pose, stage.sampled(clip, 2, Wrap::kClamp)), 1e-6F);
  ASSERT_TRUE(stage.player.play(clip, skeleton, {.start_s = 2, .speed = -1, .wrap = Wrap::kClamp, .fade_s = 0}));
  stage.step(60);
  EXPECT_LT(largest_angle(stage.actor.pose, stage.sampled(clip, 1, Wrap::kClamp)), 1e-4F);
  stage.step(70);
  EXPECT_TRUE(stage.player.finished());
  stage.player.set_paused(true);
  stage.player.seek(0.7);
  stage.step(5);
  EXPECT_LT(largest_angle(stage.actor.pose, stage.sampled(clip, 0.7, Wrap::kClamp)), 1e-6F);
}

// The largest change of angular velocity in a step, around a switch to a clip that is elsewhere and
// moves otherwise.
TEST(MotionPlayer, SwitchesWithoutAJump) {
  const auto switch_clips = [](float fade_s, float& largest_step, float& left_at_end) {
    Stage stage;
    const Skeleton& skeleton = *stage.character->skeleton;
    const MotionPtr a = make_clip(stage.character->skeleton, 0, 0.6F),
                    b = make_clip(stage.character->skeleton, 4.5F, 0.6F);
    ASSERT_TRUE(stage.player.play(a, skeleton, {.fade_s = 0}));
    stage.step(45);
    ASSERT_TRUE(stage.player.play(b, skeleton, {.start_s = 0.2, .fade_s = fade_s}));
    largest_step = 0;
    for (int i = 0; i < 40; ++i) {
      stage.step();
      largest_step = std::max(largest_step, largest_angle(stage.actor.pose, stage.actor.pose_before));
      if (i == 0) {
        EXPECT_EQ(stage.player.fading(), fade_s > 0);
      }
    }
    EXPECT_FALSE(stage.player.fading());
    left_at_end = largest_angle(stage.actor.pose, stage.sampled(b, stage.player.time_s(), Wrap::kLoop));
  };
  float cut = 0, faded = 0, left_cut = 0, left_faded = 0;
  switch_clips(0, cut, left_cut);
  switch_clips(0.4F, faded, left_faded);
  EXPECT_GT(cut, 0.5F);  // Radians in one step: a visible jump.
  EXPECT_LT(faded,
            0.12F);  // The clips themselves move by up to 0.03 a step; the fade takes 1 rad in 24 steps.
  EXPECT_LT(left_cut, 1e-5F);
  EXPECT_LT(left_faded, 1e-5F);
}

// A clip that walks a curve: three rounds on, forwards and back, without a step larger than within
// a round.
TEST(MotionPlayer, TravelsOnFromRoundToRound) {
  Stage stage;
  const auto clip = [&](bool below_a_node) {
    // The root may stand still and carry hips that move; then joint 1 travels.
    const auto mover = static_cast<std::size_t>(below_a_node ? kSpine : kRoot);
    Motion motion = make_motion(stage.character->skeleton, "curve", 30, 31, false);
    const auto n = static_cast<std::size_t>(motion.num_joints());
    for (int frame = 0; frame <= 30; ++frame) {
      const float angle = 0.02F * static_cast<float>(frame);  // 0.6 rad a round on a circle of 2 m.
      const std::size_t at = static_cast<std::size_t>(frame) * n + mover;
      motion.translations[at] = {2 - 2 * std::cos(angle), 0.9F, 2 * std::sin(angle)};
      motion.rotations[at] = from_axis_angle(Vec3{0, 1, 0}, angle);
    }
    return std::make_shared<const Motion>(std::move(motion));
  };
  for (const bool below_a_node : {false, true}) {
    for (const float speed : {1.0F, -1.0F}) {
      ASSERT_TRUE(stage.player.play(clip(below_a_node), *stage.character->skeleton,
                                    {.speed = speed, .travel = true, .fade_s = 0}));
      stage.step();
      const int mover = below_a_node ? kSpine : kRoot;
      for (int i = 2; i < 240; ++i) {  // Four rounds.
        stage.step();
        update_joints(stage.actor);
        const float angle = speed * 0.6F * static_cast<float>(i) / 60;
        const Vec3 at = stage.actor.model_from_joint[static_cast<std::size_t>(mover)].t;
        EXPECT_NEAR(at.x, 2 - 2 * std::cos(angle), 2e-3F) << i;
        EXPECT_NEAR(at.z, 2 * std::sin(angle), 2e-3F) << i;
      }
    }
  }
  // Without: back at the start.
  ASSERT_TRUE(stage.player.play(clip(false), *stage.character->skeleton, {.fade_s = 0}));
  stage.step(90);
  EXPECT_NEAR(stage.actor.pose.translations[kRoot].z, 2 * std::sin(0.3F), 2e-3F);
}

TEST(MotionPlayer, RefusesWhatDoesNotFitAndGoesOn) {
  Stage stage;
  const Skeleton& skeleton = *stage.character->skeleton;
  const MotionPtr clip = make_clip(stage.character->skeleton, 0, 0.5F);
  ASSERT_TRUE(stage.player.play(clip, skeleton));
  const SkeletonPtr other = Skeleton::create({{"root", kNoJoint, {}}}).value();
  const Result<void> wrong =
      stage.player.play(std::make_shared<Motion>(make_motion(other, "x", 30, 2, false)), skeleton);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().format().find("retarget"), std::string::npos);
  EXPECT_FALSE(stage.player.play(nullptr, skeleton));
  EXPECT_FALSE(
      stage.player.play(std::make_shared<Motion>(make_motion(stage.character->skeleton, "x", 30, 0, false)), skeleton));
  EXPECT_EQ(stage.player.motion(), clip.get());
}

TEST(MotionPlayer, AClipOfOneFrameIsAPose) {
  Stage stage;
  const MotionPtr clip = make_clip(stage.character->skeleton, 0.3F, 0.5F, 2);
  Motion one = make_motion(stage.character->skeleton, "one", 30, 1, false);
  std::copy_n(clip->rotations.begin(), one.rotations.size(), one.rotations.begin());
  ASSERT_TRUE(stage.player.play(std::make_shared<Motion>(one), *stage.character->skeleton));
  stage.step(100);
  EXPECT_LT(largest_angle(stage.actor.pose, stage.sampled(clip, 0, Wrap::kClamp)), 1e-5F);
}

TEST(MotionPlayer, AllocatesNothingOnceMade) {
  Stage stage;
  const Skeleton& skeleton = *stage.character->skeleton;
  const MotionPtr a = make_clip(stage.character->skeleton, 0, 0.6F), b = make_clip(stage.character->skeleton, 2, 0.6F);
  ASSERT_TRUE(stage.player.play(a, skeleton));
  stage.step(10);
  const test::AllocationMeter meter;
  for (int i = 0; i < 5; ++i) {
    (void)stage.player.play(i % 2 == 0 ? b : a, skeleton);
    stage.step(20);
    update_joints(stage.actor);
  }
  EXPECT_EQ(meter.allocations(), 0u);
}

}  // namespace
}  // namespace zoe::scene
