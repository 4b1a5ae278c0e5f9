// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Hands and heads of retargeted motions on the ground: looked at on the
// deformed mesh, not on what the retargeting itself measures.
#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"
#include "zoe/motion/joint_tracks.h"

#include "retarget/extents.h"
#include "retarget/support.h"
#include "support/data.h"

namespace zoe {
namespace {

const char* const kKnight = "characters/kaykit/Knight.glb";
constexpr float kLeg = 0.377F;  // The Knight's, metres; his ground is at 0.

Motion onto_knight(const RetargetFile& file, const RetargetFile& knight, bool ground) {
  return retarget_file(file.asset.clips.at(0), file, knight, ground).value();
}

// [frames / 10] height of the lowest vertex of these meshes, metres.
std::vector<float> lowest(const Motion& motion, const Character& character, std::initializer_list<const char*> meshes) {
  std::vector<float> heights;
  std::vector<Affine> model(static_cast<std::size_t>(motion.num_joints()));
  for (int f = 0; f < motion.num_frames; f += 10) {
    compute_model_from_joint(*motion.skeleton, motion.frame(f), model);
    float low = 1e9F;
    for (std::size_t i = 0; i < character.instances.size(); ++i) {
      const int joint = character.instances[i].joint;
      if (std::ranges::find(meshes, character.skeleton->name(joint)) == meshes.end()) continue;
      for (const Vec3 p : deform_instance(character, i, model).positions) low = std::min(low, p.y);
    }
    heights.push_back(low);
  }
  return heights;
}

TEST(RetargetGround, ALargeHeadStaysOutOfItInACartwheel) {
  ZOE_NEED_DATA(data);
  const RetargetFile knight(data / kKnight), wheel(data / "biped/cmu/acrobatics/90_04.bvh");
  const auto head = [&](bool ground) {
    return std::ranges::min(
        lowest(onto_knight(wheel, knight, ground), *knight.asset.character, {"Knight_Head", "Knight_Body"}));
  };
  EXPECT_GT(head(true), -0.1F * kLeg);
  EXPECT_LT(head(false), -0.5F * kLeg);  // What there is to do.
}

TEST(RetargetGround, HandsThatTouchItDoSoOnAnotherBody) {
  ZOE_NEED_DATA(data);
  // Falls on its face, and lies on its hands from frame 500 on.
  const RetargetFile knight(data / kKnight), fall(data / "biped/cmu/acrobatics/90_16.bvh");
  const Motion moved = onto_knight(fall, knight, true);
  for (const char* arm : {"Knight_ArmLeft", "Knight_ArmRight"}) {
    SCOPED_TRACE(arm);
    const std::vector<float> heights = lowest(moved, *knight.asset.character, {arm});
    EXPECT_GT(std::ranges::min(heights), -0.15F * kLeg);
    for (std::size_t i = 52; i < heights.size(); ++i) EXPECT_NEAR(heights[i], 0, 0.1F * kLeg) << 10 * i;
  }
  // And stay where they are.
  const int hand = knight.body.hands.at(0);
  const std::vector<Vec3> track = model_positions(moved, {&hand, 1});
  for (std::size_t f = 530; f < track.size(); ++f)
    EXPECT_LT(distance(track[f], track[f - 1]) * moved.fps, 0.5F * kLeg) << f;
}

TEST(Extents, AreTheOutermostPointsOfTheSurface) {
  ZOE_NEED_DATA(data);
  const RetargetFile knight(data / kKnight);
  const retarget_detail::Extents extents = retarget_detail::extents_of(*knight.asset.character);
  anatomy::ModelPose rest;
  compute_model_pose(*knight.skeleton, make_pose(*knight.skeleton).view(), rest);
  std::vector<int> all;
  for (int j = 0; j < knight.skeleton->num_joints(); ++j) all.push_back(j);
  // Of all joints together: the mesh's own lowest and highest vertex, which the analysis knows.
  EXPECT_NEAR(retarget_detail::lowest_of(rest, all, extents, {0, 1, 0}), knight.body.ground_height, 1e-3);
  EXPECT_NEAR(-retarget_detail::lowest_of(rest, all, extents, {0, -1, 0}), knight.body.height_m, 0.02);
}

}  // namespace
}  // namespace zoe
