// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Skins do not tear: weighted joints go along, and what stretches is measured and named.
#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/retarget/retarget.h"
#include "zoe/retarget/skin_stretch.h"

#include "support/skinned_body.h"

namespace zoe {
namespace {

Motion walk_of(const SkeletonPtr& skeleton) {
  Motion motion = make_motion(skeleton, "walk", 30, 40, false);
  const auto n = idx(skeleton->num_joints()), hips = idx(skeleton->find("Hips")),
             leg = idx(skeleton->find("LeftUpLeg")), other = idx(skeleton->find("RightUpLeg"));
  for (std::size_t f = 0; f < 40; ++f) {
    const float t = static_cast<float>(f) / 30;
    motion.translations[f * n + hips] += Vec3{0, 0.02F * std::sin(9 * t), 1.5F * t};
    motion.rotations[f * n + hips] = from_axis_angle(Vec3{0, 1, 0}, 0.8F * t);
    motion.rotations[f * n + leg] = from_axis_angle(Vec3{1, 0, 0}, 0.4F * std::sin(6 * t));
    motion.rotations[f * n + other] = from_axis_angle(Vec3{1, 0, 0}, -0.4F * std::sin(6 * t));
  }
  return motion;
}

// The person below a root that moves some of the skin, and a bone of the skin beside the body.
std::vector<BodyJoint> torn_person() {
  std::vector<BodyJoint> joints{{"Armature", "", {0, 0, 0}}};
  for (BodyJoint joint : person_joints()) {
    if (std::string(joint.name) == "Root") joint = {"Waist", "Armature", {0, 0.9F, 0}};
    if (std::string(joint.parent) == "Root") joint.parent = "Waist";
    joints.push_back(joint);
  }
  joints.push_back({"Belt", "Armature", {0, 1, 0.12F}});
  return joints;
}

struct Bodies {
  SkeletonPtr source = make_skeleton(person_joints()), target = make_skeleton(torn_person());
  CharacterPtr character = make_skinned(target, rest_of(*target), [&](int j) { return target->name(j) != "Armature"; });
  SkeletonAnalysis from = analyse(*source), to = analyse(*target, {}, character.get());
};

TEST(RetargetSkin, TravelsOnTheTopmostWeightedJointAndTakesLooseBonesAlong) {
  const Bodies bodies;
  const Motion walk = walk_of(bodies.source);
  RetargetOptions options;
  options.target_character = bodies.character.get();
  RetargetReport report;
  const Motion moved = retarget(walk, bodies.from, bodies.target, bodies.to, options, &report).value();
  EXPECT_EQ(report.num_loose_parts, 1);
  const SkinStretch stretch = measure_skin_stretch(*bodies.character, {&moved, 1});
  EXPECT_LT(stretch.worst, 1.05) << bodies.target->name(stretch.joint) << " "
                                 << bodies.target->name(stretch.other_joint);
  // The belt keeps its place before the hips.
  std::vector<Affine> model(idx(bodies.target->num_joints()));
  compute_model_from_joint(*bodies.target, moved.frame(39), model);
  const float apart = distance(model[idx(bodies.target->find("Belt"))].t, model[idx(bodies.target->find("Hips"))].t);
  EXPECT_NEAR(apart, 0.12F, 1e-3F);
}

TEST(RetargetSkin, WithoutTheCharacterTheSkinTearsAndIsNamed) {
  const Bodies bodies;
  const Motion walk = walk_of(bodies.source);
  const Motion moved = retarget(walk, bodies.from, bodies.target, bodies.to).value();
  const SkinStretch stretch = measure_skin_stretch(*bodies.character, {&moved, 1});
  EXPECT_GT(stretch.p995, 10);
  const std::string torn = bodies.target->name(stretch.joint) + bodies.target->name(stretch.other_joint);
  EXPECT_TRUE(torn.find("Belt") != std::string::npos || torn.find("Waist") != std::string::npos) << torn;
  EXPECT_GT(stretch.p995, allowed_stretch(*bodies.character, {}));
}

TEST(SkinStretch, IsOneInTheBindPoseAndAllowsWhatTheOwnClipsShow) {
  const Bodies bodies;
  Motion still = make_motion(bodies.target, "still", 30, 2, false);
  EXPECT_NEAR(measure_skin_stretch(*bodies.character, {&still, 1}).worst, 1, 1e-4);
  EXPECT_NEAR(allowed_stretch(*bodies.character, {&still, 1}), 1.3, 1e-3);
  // A clip that stretches every bone by a half allows half as much again.
  for (Vec3& t : still.translations) t = t * 1.5F;
  EXPECT_NEAR(allowed_stretch(*bodies.character, {&still, 1}), 1.95, 0.1);
  EXPECT_EQ(allowed_stretch(*bodies.character, {}), 2);
  const SkinStretch none = measure_skin_stretch(*bodies.character, {});
  EXPECT_EQ(none.p995, 1);
}

}  // namespace
}  // namespace zoe
