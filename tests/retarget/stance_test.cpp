// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Bodies on all fours keep their own stance, and fold their legs in their own way.
#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/retarget/live_retarget.h"
#include "zoe/retarget/retarget.h"
#include "zoe/retarget/skin_stretch.h"

#include "retarget/body.h"
#include "retarget/flex.h"
#include "retarget/tail.h"
#include "support/skinned_body.h"

namespace zoe {
namespace {

// Trunk at height 1, legs of 1. `bend`: how far knees and elbows are before or behind the line from hip to paw.
std::vector<BodyJoint> animal(float bend) {
  std::vector<BodyJoint> joints{
      {"Root", "", {0, 0, 0}},          {"Hips", "Root", {0, 1, -0.6F}},      {"Spine", "Hips", {0, 1, -0.2F}},
      {"Chest", "Spine", {0, 1, 0.4F}}, {"Neck", "Chest", {0, 1.1F, 0.6F}},   {"Head", "Neck", {0, 1.3F, 0.8F}},
      {"Tail", "Hips", {0, 1, -0.8F}},  {"TailTip", "Tail", {0, 0.9F, -1.1F}}};
  const auto leg = [&](const char* upper, const char* lower, const char* paw, const char* parent, float x, float z,
                       float knee) {
    joints.push_back({upper, parent, {x, 1, z}});
    joints.push_back({lower, upper, {x, 0.5F, z + knee}});
    joints.push_back({paw, lower, {x, 0.02F, z}});
  };
  leg("LeftUpLeg", "LeftLeg", "LeftFoot", "Hips", 0.15F, -0.6F, bend);
  leg("RightUpLeg", "RightLeg", "RightFoot", "Hips", -0.15F, -0.6F, bend);
  leg("LeftFrontUpLeg", "LeftFrontLeg", "LeftFrontFoot", "Chest", 0.15F, 0.4F, -bend);
  leg("RightFrontUpLeg", "RightFrontLeg", "RightFrontFoot", "Chest", -0.15F, 0.4F, -bend);
  return joints;
}

struct Bodies {
  SkeletonPtr source = make_skeleton(animal(0.3F)), target = make_skeleton(animal(0.04F));
  CharacterPtr character = make_skinned(target, rest_of(*target), [&](int j) { return j > 0; });
  SkeletonAnalysis from = analyse(*source), to = analyse(*target, {}, character.get());
};

// Stands, then lowers and pitches its trunk over its paws.
Motion crouch_of(const SkeletonPtr& skeleton, const SkeletonAnalysis& analysis) {
  Motion motion = make_motion(skeleton, "crouch", 30, 60, false);
  const auto n = idx(skeleton->num_joints()), hips = idx(skeleton->find("Hips"));
  const Pose rest = make_pose(*skeleton);
  const retarget_detail::RetargetBody body(*skeleton, analysis, rest.view(), {}, retarget_detail::End::kSource);
  std::vector<Affine> model(n);
  for (std::size_t f = 20; f < 60; ++f) {
    const float down = std::min(1.0F, static_cast<float>(f - 20) / 20);
    motion.translations[f * n + hips].y -= 0.25F * down;
    motion.rotations[f * n + hips] = from_axis_angle(Vec3{1, 0, 0}, -0.2F * down);
    compute_model_from_joint(*skeleton, motion.frame(static_cast<int>(f)), model);
    for (const Limb& leg : analysis.limbs)
      retarget_detail::FlexLeg(body, leg.joints, body.at(leg.joints[0]).z < 0)
          .reach({motion.rotations.data() + f * n, n}, model[idx(leg.joints[0])].t, body.at(leg.joints.back()),
                 std::nullopt, 0);
  }
  return motion;
}

std::vector<Affine> model_at(const Motion& motion, int frame) {
  std::vector<Affine> model(idx(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), model);
  return model;
}

TEST(Stance, ABodyThatStandsHasItsOwnStance) {
  const Bodies bodies;
  ASSERT_EQ(bodies.from.family, BodyFamily::kQuadruped);
  ASSERT_EQ(bodies.to.family, BodyFamily::kQuadruped);
  const Motion moved = retarget(crouch_of(bodies.source, bodies.from), bodies.from, bodies.target, bodies.to).value();
  const std::vector<Affine> model = model_at(moved, 0);
  const auto rest = bodies.target->rest_model();
  const auto hips = idx(bodies.target->find("Hips"));
  const Vec3 moved_by{model[hips].t.x - rest[hips].t.x, 0, model[hips].t.z - rest[hips].t.z};
  for (int j = 1; j < bodies.target->num_joints(); ++j)
    EXPECT_LT(distance(model[idx(j)].t, rest[idx(j)].t + moved_by), 0.02F) << bodies.target->name(j);
}

TEST(Stance, LegsFoldInTheirOwnPlaneAndPawsStay) {
  const Bodies bodies;
  const Motion moved = retarget(crouch_of(bodies.source, bodies.from), bodies.from, bodies.target, bodies.to).value();
  const std::vector<Affine> standing = model_at(moved, 0), low = model_at(moved, 59);
  for (const char* paw : {"LeftFoot", "RightFoot", "LeftFrontFoot", "RightFrontFoot"}) {
    const auto j = idx(bodies.target->find(paw));
    EXPECT_LT(distance(standing[j].t, low[j].t), 0.03F) << paw;
  }
  // Hind knees go forwards and elbows backwards, not aside.
  const auto knee = idx(bodies.target->find("LeftLeg")), elbow = idx(bodies.target->find("LeftFrontLeg"));
  EXPECT_GT(low[knee].t.z - low[idx(bodies.target->find("LeftFoot"))].t.z, 0.1F);
  EXPECT_LT(low[elbow].t.z - low[idx(bodies.target->find("LeftFrontFoot"))].t.z, -0.02F);
  EXPECT_NEAR(low[knee].t.x, 0.15F, 0.05F);
}

TEST(Stance, APoseAtATimeDoesTheSame) {
  const Bodies bodies;
  const LiveRetarget live = LiveRetarget::make(bodies.source, bodies.from, bodies.target, bodies.to).value();
  LiveRetargetScratch scratch = live.make_scratch();
  Pose pose = make_pose(*bodies.target);
  live.run(crouch_of(bodies.source, bodies.from).frame(59), scratch, pose);
  std::vector<Affine> model(idx(bodies.target->num_joints()));
  compute_model_from_joint(*bodies.target, pose.view(), model);
  const auto at = [&](const char* joint) { return model[idx(bodies.target->find(joint))].t; };
  for (const char* paw : {"LeftFoot", "RightFoot", "LeftFrontFoot"}) EXPECT_NEAR(at(paw).y, 0.02F, 0.02F) << paw;
  EXPECT_LT(at("Hips").y, 0.85F);
  EXPECT_GT(at("LeftLeg").z - at("LeftFoot").z, 0.1F);
  EXPECT_LT(at("LeftFrontLeg").z - at("LeftFrontFoot").z, -0.02F);
}

TEST(Stance, SkinThatWouldTearKeepsTheBodyUp) {
  const Bodies bodies;
  // Skin between the tail and the knees: these go forwards in a crouch.
  auto character = std::make_shared<Character>(*bodies.character);
  for (const char* knee : {"LeftLeg", "RightLeg"}) {
    const auto at = [&](const char* joint) { return static_cast<std::uint32_t>(3 * (bodies.target->find(joint) - 1)); };
    for (int i = 0; i < 12; ++i)
      character->meshes[0].indices.insert(character->meshes[0].indices.end(), {at("Tail"), at("Tail") + 1, at(knee)});
  }
  const Motion crouch = crouch_of(bodies.source, bodies.from);
  RetargetOptions options;
  options.target_character = character.get();
  RetargetReport report;
  const Motion free = retarget(crouch, bodies.from, bodies.target, bodies.to, options, &report).value();
  EXPECT_EQ(report.largest_ease, 0);
  const double torn = measure_skin_stretch(*character, {&free, 1}).p995;
  options.allowed_stretch = 0.5 * (1 + torn);
  const Motion held = retarget(crouch, bodies.from, bodies.target, bodies.to, options, &report).value();
  EXPECT_GT(report.largest_ease, 0);
  EXPECT_LE(measure_skin_stretch(*character, {&held, 1}).p995, 1.02 * options.allowed_stretch);
  EXPECT_GT(model_at(held, 59)[idx(bodies.target->find("Hips"))].t.y,
            model_at(free, 59)[idx(bodies.target->find("Hips"))].t.y);
}

TEST(Stance, TailsLieOnTheGround) {
  const Bodies bodies;
  Motion sit = crouch_of(bodies.source, bodies.from);
  const auto n = idx(sit.num_joints()), tail = idx(bodies.source->find("Tail"));
  for (std::size_t f = 20; f < 60; ++f) sit.rotations[f * n + tail] = from_axis_angle(Vec3{1, 0, 0}, -1.0F);
  RetargetOptions options;
  options.ground = false;
  const auto tip = idx(bodies.target->find("TailTip"));
  Motion moved = retarget(sit, bodies.from, bodies.target, bodies.to, options).value();
  const float hanging = model_at(moved, 59)[tip].t.y;
  retarget_detail::RetargetBody body(*bodies.target, bodies.to, make_pose(*bodies.target).view(), {},
                                     retarget_detail::End::kTarget);
  body.ground = hanging + 0.1F;
  retarget_detail::lay_tail(moved, body, retarget_detail::Terrain(nullptr, body));
  EXPECT_NEAR(model_at(moved, 59)[tip].t.y, hanging + 0.1F, 1e-3F);
  EXPECT_NEAR(model_at(moved, 0)[tip].t.y, std::max(hanging + 0.1F, model_at(moved, 0)[tip].t.y), 1e-3F);
}

TEST(FlexLeg, ReachesItsGoalAndKeepsItsFoot) {
  const Bodies bodies;
  const Pose rest = make_pose(*bodies.target);
  const retarget_detail::RetargetBody body(*bodies.target, bodies.to, rest.view(), {}, retarget_detail::End::kTarget);
  const std::vector<int> joints{bodies.target->find("LeftUpLeg"), bodies.target->find("LeftLeg"),
                                bodies.target->find("LeftFoot")};
  const retarget_detail::FlexLeg leg(body, joints, true);
  for (const Vec3 goal : {Vec3{0.15F, 0.02F, -0.6F}, Vec3{0.2F, 0.3F, -0.3F}, Vec3{0.1F, 0.5F, -1}}) {
    Pose pose = rest;
    leg.reach(pose.rotations, body.at(joints[0]), goal, std::nullopt, 0);
    std::vector<Affine> model(idx(bodies.target->num_joints()));
    compute_model_from_joint(*bodies.target, pose.view(), model);
    EXPECT_LT(distance(model[idx(joints[2])].t, goal), 1e-3F);
    EXPECT_LT(angle_between(rotation_of(model[idx(joints[2])]), Quat{}), 1e-3F);  // Level, as it stood.
  }
}

}  // namespace
}  // namespace zoe
