// SPDX-License-Identifier: MIT
#include "zoe/author/planned_action.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/author/planned_motion.h"
#include "zoe/core/index.h"
#include "zoe/synth/body.h"

#include "support/allocation.h"

namespace zoe::author {
namespace {

constexpr BodyFamily kFamilies[] = {BodyFamily::kBiped,   BodyFamily::kQuadruped, BodyFamily::kHexapod,
                                    BodyFamily::kOctopod, BodyFamily::kBird,      BodyFamily::kFlyer,
                                    BodyFamily::kSnake,   BodyFamily::kFish};

Alive alive_of(BodyFamily family, std::uint64_t seed = 3) {
  io::Asset asset;
  asset.character = synth::make_body(family, Random(seed), {.mesh = !zoe::test::kSanitized}).character;
  return make_alive(asset).value();
}

std::vector<Vec3> positions_of(const Motion& motion) {
  std::vector<Vec3> out;
  std::vector<Affine> model(idx(motion.num_joints()));
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_from_joint(*motion.skeleton, motion.frame(f), model);
    for (const Affine& joint : model) out.push_back(joint.t);
  }
  return out;
}

// Farthest way of a joint within a tenth of a second, in body lengths.
float fastest(const Alive& alive, const Motion& motion) {
  const std::vector<Vec3> at = positions_of(motion);
  const std::size_t back = 3 * idx(motion.num_joints());
  float far = 0;
  for (std::size_t i = back; i < at.size(); ++i) far = std::max(far, distance(at[i], at[i - back]));
  return far / alive.plan.settings.body_length_m;
}

// The least fraction of feet that are where they were in the first frame; 1 without feet.
float feet_that_hold(const Alive& alive, const Motion& motion) {
  std::vector<Affine> model(idx(motion.num_joints()));
  std::vector<Vec3> points(alive.plan.legs.size()), standing(points);
  compute_model_from_joint(*motion.skeleton, motion.frame(0), model);
  control::contact_points(alive.body, alive.plan, model, standing);
  float least = 1;
  for (int f = 0; f < motion.num_frames && !points.empty(); ++f) {
    compute_model_from_joint(*motion.skeleton, motion.frame(f), model);
    control::contact_points(alive.body, alive.plan, model, points);
    float hold = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      hold += distance(points[i], standing[i]) < 0.02F * alive.plan.settings.leg_length_m ? 1.0F : 0.0F;
    least = std::min(least, hold / static_cast<float>(points.size()));
  }
  return least;
}

float worst_limit(const Alive& alive, const Motion& motion) {
  float worst = 0;
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    const JointLimit& limit = alive.plan.limits[i % idx(motion.num_joints())];
    worst = std::max(worst, limit_violation_rad(limit, motion.rotations[i]));
  }
  return worst;
}

// Farthest way of a joint from frame to frame, as a fraction of the distance between its farthest joints.
float jump_of(const Motion& motion) {
  const std::vector<Vec3> at = positions_of(motion);
  const std::size_t joints = idx(motion.num_joints());
  float worst = 0, size = 0;
  for (std::size_t i = joints; i < at.size(); ++i) worst = std::max(worst, distance(at[i], at[i - joints]));
  for (std::size_t i = 0; i < joints; ++i)
    for (std::size_t j = 0; j < i; ++j) size = std::max(size, distance(at[i], at[j]));
  return worst / size;
}

float lowest(const Motion& motion) {
  float low = 1e30F;
  for (const Vec3& p : positions_of(motion)) low = std::min(low, p.y);
  return low;
}

TEST(PlannedAction, AttacksStrikeWithWhatTheBodyHas) {
  for (const BodyFamily family : kFamilies) {
    SCOPED_TRACE(to_string(family));
    const Alive alive = alive_of(family);
    const Motion attack = planned_action(alive, PlannedAction::kAttack, {.seconds = 3, .seed = 5}).value();
    const Motion idle = planned_action(alive, PlannedAction::kIdle, {.seconds = 3, .seed = 5}).value();
    EXPECT_EQ(attack.num_frames, 90);
    EXPECT_TRUE(validate(attack));
    EXPECT_GT(fastest(alive, attack), 0.08F);
    // Wings beat in any case.
    if (alive.plan.settings.beat_rad == 0) {
      EXPECT_GT(fastest(alive, attack), 3 * fastest(alive, idle));
    }
    EXPECT_LT(worst_limit(alive, attack), 1e-3F);
    EXPECT_LT(jump_of(attack), 0.4F) << "no jumps between frames";
    EXPECT_GT(lowest(attack), lowest(idle) - 0.08F * alive.plan.settings.body_length_m) << "above the ground";
    // Feet that do not strike or step stay where they are.
    EXPECT_GE(feet_that_hold(alive, attack), 0.5F);
  }
}

// A snake whose bones begin at its head, as some rigs have it: the head rises, the rest stays on the ground. An eye on an
// armature of its own goes along.
TEST(PlannedAction, ASnakeFromItsHeadRearsAboveTheGround) {
  std::vector<JointDesc> joints{
      {"root", kNoJoint, {{0, 0.05F, 0}, {}}}, {"head", 0, {{0, 0.05F, 0.1F}, {}}}, {"neck", 1, {{0, 0, -0.05F}, {}}}};
  for (int i = 1; i <= 12; ++i)
    joints.push_back({"tail" + std::to_string(i), static_cast<int>(joints.size()) - 1, {{0, 0, -0.15F}, {}}});
  const auto eyes = static_cast<int>(joints.size());
  joints.push_back({"EyeArmature", kNoJoint, {{0, 0.15F, 0.1F}, {}}, JointKind::kNode});
  joints.push_back({"eye", eyes, {{0.02F, 0, 0.03F}, {}}});
  io::Asset asset;
  auto character = std::make_shared<Character>();
  character->skeleton = Skeleton::create(std::move(joints)).value();
  asset.character = character;
  const Alive alive = make_alive(asset).value();
  ASSERT_EQ(alive.plan.locomotion, control::Locomotion::kCrawl);
  const Motion attack = planned_action(alive, PlannedAction::kAttack, {.seconds = 2}).value();
  const std::vector<Vec3> at = positions_of(attack);
  const std::size_t count = idx(attack.num_joints());
  float low_m = 1e9F, standing_m = 1e9F, head_m = 0, eye_m = 0, tail_m = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    low_m = std::min(low_m, at[i].y);
    if (i < count) standing_m = low_m;
    if (i % count == idx(eyes) - 1) tail_m = std::max(tail_m, at[i].y - at[idx(eyes) - 1].y);
    if (i % count == 1) {
      head_m = std::max(head_m, at[i].y - at[1].y);
      eye_m = std::max(eye_m, distance(at[i + idx(eyes)], at[i]));
    }
  }
  EXPECT_GT(low_m, standing_m - 0.01F);
  EXPECT_GT(head_m, 0.2F);
  EXPECT_LT(tail_m, 0.1F);
  EXPECT_LT(eye_m, 0.08F);
}

TEST(PlannedAction, ASeedIsAMotion) {
  const Alive alive = alive_of(BodyFamily::kQuadruped);
  for (const PlannedAction action :
       {PlannedAction::kAttack, PlannedAction::kIdle, PlannedAction::kJump, PlannedAction::kHit, PlannedAction::kDie}) {
    const Motion made = planned_action(alive, action, {.seconds = 1, .seed = 3}).value();
    EXPECT_EQ(planned_action(alive, action, {.seconds = 1, .seed = 3}).value().rotations, made.rotations);
    EXPECT_NE(planned_action(alive, action, {.seconds = 1, .seed = 4}).value().rotations, made.rotations);
  }
}

TEST(PlannedAction, JumpsLeaveTheGroundAndReturn) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped, BodyFamily::kHexapod}) {
    SCOPED_TRACE(to_string(family));
    const Alive alive = alive_of(family);
    const Motion jump = planned_action(alive, PlannedAction::kJump, {.seconds = 2}).value();
    const float leg_m = alive.plan.settings.leg_length_m;
    std::vector<Affine> model(idx(jump.num_joints()));
    std::vector<Vec3> points(alive.plan.legs.size()), standing(points);
    compute_model_from_joint(*jump.skeleton, jump.frame(0), model);
    control::contact_points(alive.body, alive.plan, model, standing);
    float highest = 0, last = 0;
    for (int f = 0; f < jump.num_frames; ++f) {
      compute_model_from_joint(*jump.skeleton, jump.frame(f), model);
      control::contact_points(alive.body, alive.plan, model, points);
      float low = 1e30F;
      for (std::size_t i = 0; i < points.size(); ++i) low = std::min(low, points[i].y - standing[i].y);
      EXPECT_GT(low, -0.02F * leg_m);
      highest = std::max(highest, low);
      last = low;
    }
    EXPECT_GT(highest, 0.3F * leg_m);
    EXPECT_LT(last, 0.05F * leg_m);
    EXPECT_LT(worst_limit(alive, jump), 1e-3F);
  }
}

TEST(PlannedAction, TheDeadLieOnTheGround) {
  for (const BodyFamily family : kFamilies) {
    SCOPED_TRACE(to_string(family));
    const Alive alive = alive_of(family);
    const Motion death = planned_action(alive, PlannedAction::kDie, {.seconds = 3}).value();
    const Motion idle = planned_action(alive, PlannedAction::kIdle, {.seconds = 1}).value();
    const std::vector<Vec3> at = positions_of(death);
    const std::size_t joints = idx(death.num_joints());
    float low = 1e30F;
    double before = 0, after = 0;
    for (std::size_t j = 0; j < joints; ++j) {
      before += double{at[j].y};
      after += double{at[at.size() - joints + j].y};
      low = std::min(low, at[at.size() - joints + j].y);
    }
    EXPECT_GT(low, std::min(0.0F, lowest(idle)) - 0.02F * alive.plan.settings.body_length_m) << "not below it";
    EXPECT_LT(low, 0.1F * alive.plan.settings.body_length_m) << "nor above";
    if (family == BodyFamily::kBiped || family == BodyFamily::kQuadruped) {
      EXPECT_LT(after, 0.75 * before);
    }
    EXPECT_LT(jump_of(death), 0.4F);
  }
}

TEST(PlannedAction, WordsOfTheVocabulary) {
  EXPECT_EQ(planned_action_of("attack"), PlannedAction::kAttack);
  EXPECT_EQ(planned_action_of("die"), PlannedAction::kDie);
  EXPECT_FALSE(planned_action_of("dance"));
  EXPECT_FALSE(planned_action_of("walk"));
}

TEST(PlannedAction, AFractionOfASecondIsAStrikeToo) {
  const Alive alive = alive_of(BodyFamily::kBiped);
  const Motion attack = planned_action(alive, PlannedAction::kAttack, {.seconds = 0.4}).value();
  EXPECT_EQ(attack.num_frames, 12);
  EXPECT_GT(fastest(alive, attack), 0.05F);
  EXPECT_EQ(planned_action(alive, PlannedAction::kAttack, {.seconds = 0.01}).value().num_frames, 1);
}

}  // namespace
}  // namespace zoe::author
