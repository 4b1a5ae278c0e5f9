// SPDX-License-Identifier: MIT
#include "zoe/motion/foot_skate.h"

#include <array>

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(FootSkate, CountsHorizontalWayInContactByHand) {
  const SkeletonPtr skeleton = Skeleton::create({{"foot", kNoJoint, {}, JointKind::kBone}}).value();
  Motion motion = make_motion(skeleton, "slide", 10, 6, false);
  // Steps: 5 cm (3-4-5), 1 cm up, then swinging, then 3 cm.
  motion.translations = {{0, 0, 0}, {0.03F, 0, 0.04F}, {0.03F, 0.01F, 0.04F}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0.03F}};
  Contacts contacts{.num_frames = 6, .num_joints = 1, .touching = {1, 1, 1, 0, 1, 1}};
  const std::array joints{0};
  const FootSkate skate = foot_skate(motion, joints, contacts).value()[0];
  EXPECT_NEAR(skate.slide_m, 0.08F, 1e-6F);
  EXPECT_NEAR(skate.mean_speed_m_s, 0.8F / 3, 1e-5F);  // Three steps of a tenth of a second.
  EXPECT_NEAR(skate.max_speed_m_s, 0.5F, 1e-5F);
  EXPECT_NEAR(skate.contact_share, 5.0F / 6, 1e-6F);

  contacts.touching.assign(6, 0);
  EXPECT_EQ(foot_skate(motion, joints, contacts).value()[0].mean_speed_m_s, 0.0F);
  contacts.num_frames = 5;
  EXPECT_FALSE(foot_skate(motion, joints, contacts));
  const std::array wrong{1};
  EXPECT_FALSE(foot_skate(motion, wrong, contacts));
}

}  // namespace
}  // namespace zoe
