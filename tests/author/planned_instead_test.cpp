// SPDX-License-Identifier: MIT
// The judge of generated motions: planned motions pass, and each defect is found where one is planted.
#include "zoe/author/planned_instead.h"

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/io/write.h"
#include "zoe/motion/joint_tracks.h"
#include "zoe/synth/body.h"

#include "author/generated/defects.h"
#include "support/data.h"

namespace zoe::author {
namespace {

// A synthetic rig in a file, and the analysis as a command has it.
struct Rig {
  std::filesystem::path file;
  Alive alive;
  GeneratedBody body() const { return {file.string(), {}, alive.body.skeleton, &alive.analysis}; }
};

Rig rig_of(BodyFamily family) {
  io::Asset asset;
  asset.character = synth::make_body(family, Random(3), {.mesh = false}).character;
  const auto file = zoe::test::temporary_dir("planned_instead") / "rig.glb";
  EXPECT_TRUE(io::write_asset(file, asset));
  return {file, make_alive(asset).value()};
}

std::string defect_of(const Rig& rig, const std::string& action, const Motion& made) {
  return PlannedInstead(rig.body(), {action}).defect(made).value();
}

void raise_root(Motion& motion, float by_m) {
  for (int f = 0; f < motion.num_frames; ++f) motion.translations[idx(f * motion.num_joints())].y += by_m;
}

TEST(PlannedInstead, FirstWordThatCanBePlannedDecides) {
  const Rig person = rig_of(BodyFamily::kBiped), snake = rig_of(BodyFamily::kSnake);
  EXPECT_TRUE(PlannedInstead(person.body(), {"turn", "walk"}).travels());
  EXPECT_FALSE(PlannedInstead(person.body(), {"attack", "walk"}).travels());
  EXPECT_TRUE(PlannedInstead(person.body(), {"attack", "walk"}).can_plan());
  EXPECT_FALSE(PlannedInstead(person.body(), {"crawl"}).can_plan()) << "with legs";
  EXPECT_TRUE(PlannedInstead(snake.body(), {"crawl"}).travels());
  EXPECT_FALSE(PlannedInstead(person.body(), {"fly"}).can_plan()) << "without wings";
  EXPECT_FALSE(PlannedInstead(person.body(), {"swim"}).can_plan()) << "with legs";
  EXPECT_FALSE(PlannedInstead(person.body(), {}).can_plan());
}

TEST(PlannedInstead, PlansHaveNoDefect) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped, BodyFamily::kSnake}) {
    const Rig rig = rig_of(family);
    EXPECT_EQ(defect_of(rig, "walk", planned_motion(rig.alive, {.seed = 9}).value()), "") << to_string(family);
    for (const PlannedAction deed : {PlannedAction::kJump, PlannedAction::kDie, PlannedAction::kIdle}) {
      const Motion made = planned_action(rig.alive, deed, {.seed = 1}).value();
      const char* word = deed == PlannedAction::kJump ? "jump" : deed == PlannedAction::kDie ? "die" : "idle";
      EXPECT_EQ(defect_of(rig, word, made), "") << to_string(family) << " " << word;
    }
  }
}

TEST(PlannedInstead, ABodyThatStandsDoesNothingElse) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped}) {
    const Rig rig = rig_of(family);
    const Motion idle = planned_action(rig.alive, PlannedAction::kIdle, {}).value();
    EXPECT_NE(defect_of(rig, "walk", idle), "");
    EXPECT_EQ(defect_of(rig, "attack", idle), "it hardly moves");
    EXPECT_EQ(defect_of(rig, "jump", idle), "it stays on the ground");
    EXPECT_EQ(defect_of(rig, "die", idle), "it does not fall");
  }
  const Rig snake = rig_of(BodyFamily::kSnake);
  EXPECT_EQ(defect_of(snake, "walk", planned_action(snake.alive, PlannedAction::kIdle, {}).value()),
            "its body hardly bends");
}

TEST(PlannedInstead, WhatCrawlsStaysOnTheGround) {
  const Rig snake = rig_of(BodyFamily::kSnake);
  const Motion planned = planned_motion(snake.alive, {}).value();
  Motion high = planned;
  raise_root(high, 0.2F * snake.alive.plan.settings.body_length_m);
  EXPECT_EQ(defect_of(snake, "walk", high), "it leaves the ground");
  EXPECT_TRUE(leaves_ground(high, planned, snake.alive.plan));
  EXPECT_FALSE(leaves_ground(planned, planned, snake.alive.plan));
}

TEST(PlannedInstead, TwoLegsThatCrouchAreFound) {
  const Rig person = rig_of(BodyFamily::kBiped);
  const Motion planned = planned_motion(person.alive, {}).value();
  const std::vector<int> hips{person.alive.analysis.hips};
  const float height_m = model_positions(planned, hips)[0].y;
  Motion low = planned;
  raise_root(low, -0.2F * height_m);
  EXPECT_TRUE(crouches(low, planned, person.alive.analysis));
  low = planned;
  raise_root(low, -0.1F * height_m);
  EXPECT_FALSE(crouches(low, planned, person.alive.analysis));
  // Lizards may be as low as they like.
  SkeletonAnalysis four = person.alive.analysis;
  four.family = BodyFamily::kQuadruped;
  raise_root(low, -0.5F * height_m);
  EXPECT_FALSE(crouches(low, planned, four));
}

TEST(PlannedInstead, ActionsHappenWhereTheBodyStands) {
  const Rig rig = rig_of(BodyFamily::kQuadruped);
  const float length_m = rig.alive.plan.settings.body_length_m;
  const auto misplaced_by = [&](PlannedAction deed, Vec3 move, Quat turn, int from_frame) {
    const Motion planned = planned_action(rig.alive, deed, {}).value();
    Motion made = planned;
    for (int f = from_frame; f < made.num_frames; ++f) {
      const std::size_t root = idx(f * made.num_joints());
      made.translations[root] = rotate(turn, made.translations[root]) + move;
      made.rotations[root] = turn * made.rotations[root];
    }
    return misplaced(made, planned, deed, rig.alive.plan, rig.alive.analysis);
  };
  const Quat no_turn, half = from_axis_angle(Vec3{0, 1, 0}, 3.0F);
  EXPECT_EQ(misplaced_by(PlannedAction::kIdle, {}, no_turn, 0), "");
  EXPECT_EQ(misplaced_by(PlannedAction::kIdle, {0, -0.1F * length_m, 0}, no_turn, 0), "it sinks into the ground");
  EXPECT_EQ(misplaced_by(PlannedAction::kIdle, {0, -0.03F * length_m, 0}, no_turn, 0), "");
  EXPECT_EQ(misplaced_by(PlannedAction::kAttack, {0, 0.2F * length_m, 0}, no_turn, 0), "it floats");
  EXPECT_EQ(misplaced_by(PlannedAction::kJump, {0, 0.2F * length_m, 0}, no_turn, 0), "it floats");
  EXPECT_EQ(misplaced_by(PlannedAction::kDie, {0, 0.2F * length_m, 0}, no_turn, 60), "it floats") << "at the end";
  EXPECT_EQ(misplaced_by(PlannedAction::kHit, {}, half, 0), "it begins turned over");
  EXPECT_EQ(misplaced_by(PlannedAction::kJump, {}, half, 60), "it turns round");
  EXPECT_EQ(misplaced_by(PlannedAction::kAttack, {}, half, 60), "") << "a strike may turn";
}

TEST(PlannedInstead, AFailedMotionBecomesThePlanOfItsLength) {
  const Rig rig = rig_of(BodyFamily::kQuadruped);
  PlannedInstead planner(rig.body(), {"walk"});
  Motion standing = planned_action(rig.alive, PlannedAction::kIdle, {.seconds = 3}).value();
  standing.name = "mine";
  Motion made = standing;
  const PlannedInstead::Replacement done = planner.replace_failed(made, 5).value();
  EXPECT_NE(done.why, "");
  EXPECT_EQ(done.not_planned, "");
  EXPECT_EQ(made.num_frames, standing.num_frames);
  EXPECT_EQ(made.name, "mine");
  EXPECT_EQ(made.skeleton, rig.alive.body.skeleton);
  EXPECT_EQ(planner.defect(made).value(), "");
  // A good one stays.
  const Motion good = planned_motion(rig.alive, {.seconds = 3, .seed = 8}).value();
  made = good;
  EXPECT_EQ(planner.replace_failed(made, 5)->why, "");
  EXPECT_EQ(made.rotations, good.rotations);
  // Strikes are planned on the spot: along a path they stay as they are.
  made = standing;
  const control::Path path = control::Path::create({{0, 0, 0}, {0, 0, 3}}, false).value();
  EXPECT_EQ(PlannedInstead(rig.body(), {"attack"}).replace_failed(made, 5, path)->why, "");
  EXPECT_EQ(made.rotations, standing.rotations);
}

TEST(PlannedInstead, NamesTheFileThatIsGone) {
  const Rig rig = rig_of(BodyFamily::kQuadruped);
  GeneratedBody body = rig.body();
  body.file = "gone.glb";
  const Motion idle = planned_action(rig.alive, PlannedAction::kIdle, {}).value();
  const Result<std::string> defect = PlannedInstead(body, {"attack"}).defect(idle);
  ASSERT_FALSE(defect);
  EXPECT_EQ(defect.error().where.file, "gone.glb");
}

}  // namespace
}  // namespace zoe::author
