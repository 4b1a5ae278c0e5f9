// SPDX-License-Identifier: MIT
#include "zoe/certify/t_pose.h"

#include "zoe/motion/joint_tracks.h"

#include "certify/clips.h"

namespace zoe::certify::test {
namespace {

TEST(TPose, ClipsStayAndTheRestPoseSpreadsItsArms) {
  const JudgedBody clip = make_body_clip(BodyFamily::kBiped, synth::Gait::kWalk, true);
  const Result<TPosed> made = with_t_pose(*clip.character, std::span(&clip.motion, 1), clip.body);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  ASSERT_EQ(made->clips.size(), 1U);
  ASSERT_TRUE(validate(made->clips[0]).has_value());
  ASSERT_TRUE(validate(*made->character).has_value());
  std::vector<int> joints;
  for (int j = 0; j < clip.motion.num_joints(); ++j) joints.push_back(j);
  const std::vector<Vec3> before = model_positions(clip.motion, joints),
                          after = model_positions(made->clips[0], joints);
  for (std::size_t i = 0; i < before.size(); ++i) ASSERT_LT(distance(before[i], after[i]), 1e-4F);

  const auto rest = made->character->skeleton->rest_model();
  for (const Limb& limb : clip.body.limbs) {
    if (limb.kind != LimbKind::kArm) continue;
    const Vec3 hand = rest[static_cast<std::size_t>(limb.joints[3])].t,
               elbow = rest[static_cast<std::size_t>(limb.joints[2])].t;
    const Vec3 along = normalized(hand - elbow);
    EXPECT_GT(limb.side == Side::kLeft ? along.x : -along.x, 0.99F);
  }
}

TEST(TPose, RefusesAnimals) {
  const JudgedBody clip = make_body_clip(BodyFamily::kQuadruped, synth::Gait::kWalk);
  EXPECT_FALSE(with_t_pose(*clip.character, std::span(&clip.motion, 1), clip.body).has_value());
}

}  // namespace
}  // namespace zoe::certify::test
