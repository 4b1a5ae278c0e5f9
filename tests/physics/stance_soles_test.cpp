// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Soles of bodies without a skin lie on the ground that their clips walk on.
#include <algorithm>
#include <cmath>

#include "zoe/anatomy/model_pose.h"

#include "bodies.h"

namespace zoe::physics {
namespace {

// Heights of the lowest point of each foot while it stands: its ankle moves slower than 0.1 m/s and is low.
std::vector<double> standing_heights(const BodyPlan& plan, const Motion& motion, std::size_t foot) {
  std::vector<double> heights;
  anatomy::ModelPose posed;
  Vec3d before{};
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    anatomy::compute_model_pose(*motion.skeleton, motion.frame(frame), posed);
    const std::size_t joint = static_cast<std::size_t>(plan.bones[foot].joint);
    const Vec3d at = to_double(posed.positions[joint]);
    if (frame > 0 && distance(at, before) * motion.fps < 0.1 && at.y < 0.12)
      heights.push_back(plan.bones[foot].shape.lowest_y(to_double(posed.rotations[joint]), at));
    before = at;
  }
  return heights;
}

TEST(StanceSoles, LieOnTheGroundOfAWalk) {
  const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(7), {});
  const Motion walk =
      synth::make_clip(body, {.gait = synth::Gait::kWalk, .seconds = 6, .fps = 60}, Random(3)).value().motion;
  const SkeletonAnalysis analysis = analyse(*body.skeleton, std::span(&walk, 1));
  const std::vector<Motion> clips{walk};
  const BodySource source{*body.skeleton, analysis, clips};
  const Result<BodyPlan> plan = plan_body(source);
  ASSERT_TRUE(plan) << plan.error().format();
  int num_feet = 0;
  for (std::size_t b = 0; b < plan->bones.size(); ++b) {
    if (plan->bones[b].role != BoneRole::kFoot) continue;
    std::vector<double> heights = standing_heights(*plan, walk, b);
    ASSERT_GT(heights.size(), 20U);
    std::ranges::sort(heights);
    // The walk's ground is y = 0. Flesh below the toe joint is assumed, so a centimetre of doubt remains.
    EXPECT_NEAR(heights[heights.size() / 2], 0, 0.015) << plan->names[b];
    EXPECT_LT(heights[heights.size() * 9 / 10] - heights[heights.size() / 10], 0.015) << plan->names[b];
    ++num_feet;
  }
  EXPECT_EQ(num_feet, 2);
}

}  // namespace
}  // namespace zoe::physics
