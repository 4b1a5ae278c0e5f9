// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Bodies on hands and knees: hands reach the floor, nothing is below it, feet point as the
// source's do.
#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/motion/edit.h"

#include "retarget/extents.h"
#include "retarget/support.h"
#include "support/data.h"

namespace zoe {
namespace {

struct CrawlFigures {
  double hands = 0;     // Mean height of the lower surface of hands above or below the floor, body heights.
  double below = 0;     // Largest depth of any part of the body below the floor, body heights.
  double feet_deg = 0;  // Mean angle between the feet of the two bodies, from ankle to ball.
};

CrawlFigures measure_crawl(const Motion& source, const RetargetFile& from, const Motion& moved,
                           const RetargetFile& to) {
  CrawlFigures out;
  const retarget_detail::Extents extents = retarget_detail::extents_of(*to.asset.character);
  const auto tall = static_cast<float>(to.body.height_m / to.body.metres_per_unit);
  std::vector<int> all;
  for (int j = 0; j < to.skeleton->num_joints(); ++j)
    if (to.skeleton->kind(j) == JointKind::kBone) all.push_back(j);
  const auto feet_of = [](const SkeletonAnalysis& body, const anatomy::ModelPose& pose) {
    std::vector<Vec3> feet;
    for (const Limb& limb : body.limbs) {
      const auto foot = std::ranges::find_first_of(limb.joints, body.feet);
      if (limb.kind != LimbKind::kLeg || foot == limb.joints.end() || foot + 1 == limb.joints.end()) continue;
      if (limb.side == Side::kLeft) feet.push_back(pose.positions[idx(*(foot + 1))] - pose.positions[idx(*foot)]);
    }
    return feet;
  };
  anatomy::ModelPose a, b;
  int counted = 0, compared = 0;
  for (int f = 0; f < source.num_frames; ++f) {
    anatomy::compute_model_pose(*from.skeleton, source.frame(f), a);
    anatomy::compute_model_pose(*to.skeleton, moved.frame(f), b);
    const auto ground = static_cast<float>(to.body.ground_height);
    for (const int hand : to.body.hands) {
      std::vector<int> parts;
      for (int j = hand; j < to.skeleton->num_joints(); ++j)
        if (j == hand || std::ranges::find(parts, to.skeleton->parent(j)) != parts.end()) parts.push_back(j);
      out.hands += std::abs(retarget_detail::lowest_of(b, parts, extents, to.body.up) - ground) / tall;
      ++counted;
    }
    out.below = std::max<double>(out.below, (ground - retarget_detail::lowest_of(b, all, extents, to.body.up)) / tall);
    const std::vector<Vec3> feet_a = feet_of(from.body, a), feet_b = feet_of(to.body, b);
    if (feet_a.empty() || feet_b.empty()) continue;
    out.feet_deg += 57.2958 * std::acos(std::clamp(dot(normalized(feet_a[0]), normalized(feet_b[0])), -1.0F, 1.0F));
    ++compared;
  }
  out.hands /= std::max(1, counted);
  out.feet_deg /= std::max(1, compared);
  return out;
}

// RobotExpressive's arms reach the ground while it stands.
TEST(RetargetCrawl, HandsReachTheFloorAndFeetPointAsTheSources) {
  ZOE_NEED_DATA(data);
  const RetargetFile from(data / "biped/lafan1/push1_subject2.bvh");
  const Motion clip = trim(from.asset.clips[0], 2505, 2622).value();  // On hands and knees.
  for (const char* body : {"characters/robot_expressive/RobotExpressive.glb", "characters/geno_genoview/Geno.fbx",
                           "characters/kaykit/Knight.glb", "characters/khronos/CesiumMan.glb",
                           "assets/characters/quaternius_men_women/Male_Casual.fbx"}) {
    const RetargetFile to(data / body);
    const Motion moved = retarget_file(clip, from, to).value();
    const CrawlFigures figures = measure_crawl(clip, from, moved, to);
    EXPECT_LT(figures.hands, 0.07) << body;
    EXPECT_LT(figures.below, 0.13) << body;
    EXPECT_LT(figures.feet_deg, 50) << body;
  }
}

}  // namespace
}  // namespace zoe
