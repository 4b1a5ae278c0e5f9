// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Skins of shared characters that are unlike the source hold, and nothing flips for it.
#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/motion/edit.h"
#include "zoe/retarget/metrics.h"
#include "zoe/retarget/skin_stretch.h"

#include "retarget/calm.h"
#include "retarget/support.h"
#include "support/data.h"

namespace zoe {
namespace {

struct Pair {
  RetargetFile from, to;
  Motion source, moved;
  double allowed = 0, stretch = 0;
  RetargetReport report;

  Pair(const std::filesystem::path& data, const char* clip, const char* body)
      : from(data / clip), to(data / body), source(from.asset.clips[0]) {
    source = trim(source, 0, std::min(source.num_frames - 1, static_cast<int>(8 * source.fps))).value();
    RetargetOptions options;
    options.source_reference = from.reference;
    options.target_reference = to.reference;
    options.target_character = to.asset.character.get();
    options.allowed_stretch = allowed = allowed_stretch(*to.asset.character, to.asset.clips);
    moved = retarget(source, from.body, to.skeleton, to.body, options, &report).value();
    stretch = measure_skin_stretch(*to.asset.character, {&moved, 1}).p995;
  }
};

// Heads that look aside stretch short necks: the neck turns less far.
TEST(RetargetEase, AShortNeckTurnsNoFurtherThanItsSkinAllows) {
  ZOE_NEED_DATA(data);
  const Pair pair(data, "quadruped/dog_mann_bvh/D1_001_KAN01_001.bvh",
                  "assets/creatures/polygonalmind_xyz/006_Whormbus_Art.glb");
  EXPECT_LE(pair.stretch, pair.allowed);
  EXPECT_GT(pair.report.largest_ease, 0.05);
}

// Arms that hang straighter than in any clip of the character.
TEST(RetargetEase, ArmsGoNoFurtherThanTheSkinAllows) {
  ZOE_NEED_DATA(data);
  const Pair pair(data, "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh",
                  "assets/characters/quaternius_men_women/Male_Casual.fbx");
  EXPECT_LE(pair.stretch, pair.allowed);
  EXPECT_LT(pair.report.largest_ease, 0.26);
  const RetargetMetrics metrics = measure_retarget(pair.source, pair.from.body, pair.moved, pair.to.body);
  EXPECT_LT(metrics.mean_hand_error, 0.25);
  EXPECT_LT(metrics.mean_foot_error, 0.05);
  EXPECT_EQ(metrics.num_flips, 0);
}

// A theropod's trunk is level. It is not made upright because a person's is.
TEST(RetargetEase, ATheropodKeepsTheLineOfItsBack) {
  ZOE_NEED_DATA(data);
  const Pair pair(data, "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh", "creatures/quaternius/Trex.glb");
  EXPECT_LE(pair.stretch, pair.allowed);
  std::vector<Affine> model(idx(pair.to.skeleton->num_joints()));
  const auto pitch = [&](const PoseView& pose) {
    compute_model_from_joint(*pair.to.skeleton, pose, model);
    const Vec3 line = model[idx(pair.to.body.head)].t - model[idx(pair.to.body.hips)].t;
    return std::asin(dot(line, pair.to.body.up) / length(line));
  };
  const float own = pitch(pair.to.reference.view());
  EXPECT_LT(own, 0.6F);
  for (int f = 0; f < pair.moved.num_frames; f += 20) EXPECT_NEAR(pitch(pair.moved.frame(f)), own, 0.4F) << f;
}

// Legs of two joints have no knee, and are not compared as legs. The body does not hover.
TEST(RetargetEase, ABodyWithoutKneesStandsOnTheGround) {
  ZOE_NEED_DATA(data);
  const Pair pair(data, "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh",
                  "assets/creatures/polygonalmind_xyz/020_Octozilla_Art.glb");
  std::vector<Affine> model(idx(pair.to.skeleton->num_joints()));
  // Of the upper ends of its legs, above the ground.
  const auto leg_height = [&](const PoseView& pose) {
    compute_model_from_joint(*pair.to.skeleton, pose, model);
    float sum = 0;
    int count = 0;
    for (const Limb& limb : pair.to.body.limbs) {
      if (limb.kind != LimbKind::kLeg) continue;
      sum += dot(model[idx(limb.joints.front())].t, pair.to.body.up) - static_cast<float>(pair.to.body.ground_height);
      ++count;
    }
    return sum / static_cast<float>(count);
  };
  const float own = leg_height(pair.to.reference.view());
  EXPECT_NEAR(leg_height(pair.moved.frame(0)), own, 0.1F * own);
}

// Limbs of one joint, on a root on the ground: the legs' upper ends tell the size, and limbs point as the source's do.
TEST(RetargetEase, AToyOfStumpsStandsAndWalks) {
  ZOE_NEED_DATA(data);
  const Pair pair(data, "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh",
                  "assets/characters/kenney_mini/character-male-b.glb");
  const Skeleton& toy = *pair.to.skeleton;
  std::vector<Affine> model(idx(toy.num_joints()));
  compute_model_from_joint(toy, pair.to.reference.view(), model);
  const int leg = toy.find("leg-left"), arm = toy.find("arm-left");
  const float own = model[idx(leg)].t.y;
  const Affine from_arm = inverse(model[idx(arm)]);
  const Vec3 along_arm = from_arm.apply_vector({1, 0, 0});  // It is modelled in a T-pose.
  for (int f = 0; f < pair.moved.num_frames; f += 10) {
    compute_model_from_joint(toy, pair.moved.frame(f), model);
    EXPECT_NEAR(model[idx(leg)].t.y, own, 0.25F * own) << f;
    EXPECT_LT(std::hypot(model[idx(leg)].t.x, model[idx(leg)].t.z), 1.5F) << f;    // Legs of 0.18 m: some steps.
    EXPECT_LT(normalized(model[idx(arm)].apply_vector(along_arm)).y, -0.5F) << f;  // Arms hang.
  }
}

// Front legs that hang on the hips go up with them where the source sits: the whole trunk tilts less.
TEST(RetargetEase, FrontFeetOnTheHipsReachTheGround) {
  ZOE_NEED_DATA(data);
  const Pair pair(data, "quadruped/dog_mann_bvh/D1_008_KAN01_001.bvh", "creatures/quaternius/Triceratops.glb");
  const RetargetMetrics metrics = measure_retarget(pair.source, pair.from.body, pair.moved, pair.to.body);
  EXPECT_LT(metrics.contact_height_error, 0.04);
  EXPECT_LT(metrics.mean_foot_error, 0.05);
}

// Who sits down has the tail on the ground, on two legs, too.
TEST(RetargetEase, ATheropodSitsOnTheGroundWithItsTail) {
  ZOE_NEED_DATA(data);
  const Pair pair(data, "biped/cmu/actions/sit/75_20.bvh", "creatures/quaternius/Trex.glb");
  std::vector<Affine> model(idx(pair.to.skeleton->num_joints()));
  float low = 0;
  for (int f = 0; f < pair.moved.num_frames; f += 10) {
    compute_model_from_joint(*pair.to.skeleton, pair.moved.frame(f), model);
    for (const int joint : pair.to.body.tail) low = std::min(low, dot(model[idx(joint)].t, pair.to.body.up));
  }
  EXPECT_GT(low * pair.to.body.metres_per_unit, -0.05 * pair.to.body.height_m);
}

// Tails and legs at the limit of their fold.
TEST(RetargetEase, NothingFlips) {
  ZOE_NEED_DATA(data);
  for (const auto& [clip, body] :
       {std::pair("quadruped/dog_mann_bvh/D1_008_KAN01_001.bvh", "creatures/quaternius/Cow.glb"),
        std::pair("quadruped/dog_mann_bvh/D1_025_KAN01_001.bvh", "creatures/quaternius/ShibaInu.glb"),
        std::pair("biped/bandai_namco/dataset1/dataset-1_kick_normal_001.bvh", "characters/khronos/CesiumMan.glb")}) {
    const Pair pair(data, clip, body);
    EXPECT_EQ(measure_retarget(pair.source, pair.from.body, pair.moved, pair.to.body).num_flips, 0) << body;
  }
}

TEST(CalmJointsBelow, SpreadsWhatTheSourceDoesNotDo) {
  std::vector<JointDesc> joints(3);
  joints[0].name = "hips";
  joints[1].name = "tail";
  joints[1].parent = 0;
  joints[2].name = "tip";
  joints[2].parent = 1;
  Motion motion = make_motion(Skeleton::create(joints).value(), "flip", 60, 40, false);
  for (std::size_t f = 20; f < 40; ++f) motion.rotations[3 * f + 1] = from_axis_angle(Vec3{0, 1, 0}, 2.0F);
  const Motion before = motion;
  const std::vector<float> same = retarget_detail::largest_steps(before);
  EXPECT_NEAR(same[20], 2, 1e-3);
  EXPECT_NEAR(same[19], 2, 1e-3);
  EXPECT_EQ(same[17], 0);
  retarget_detail::calm_joints_below(motion, 0, same);
  for (std::size_t f = 0; f < 40; ++f) EXPECT_EQ(motion.rotations[3 * f + 1], before.rotations[3 * f + 1]);
  retarget_detail::calm_joints_below(motion, 0, std::vector<float>(40, 0));
  for (std::size_t f = 1; f < 40; ++f) {
    EXPECT_LT(angle_between(motion.rotations[3 * f - 2], motion.rotations[3 * f + 1]), 0.801F) << f;
    if (f > 14 && f < 26) continue;
    EXPECT_LT(angle_between(motion.rotations[3 * f + 1], before.rotations[3 * f + 1]), 1e-3F) << f;
  }
}

}  // namespace
}  // namespace zoe
