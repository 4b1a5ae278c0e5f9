// SPDX-License-Identifier: MIT
#include "zoe/character/skeleton.h"

#include <limits>

#include <gtest/gtest.h>

#include "zoe/character/pose.h"

namespace zoe {
namespace {

TEST(Skeleton, RestModelComposesParents) {
  const Quat quarter = from_axis_angle(Vec3{0, 0, 1}, 1.57079633F);
  const auto skeleton = Skeleton::create({{"a", -1, {{1, 0, 0}, quarter}}, {"b", 0, {{2, 0, 0}}}, {"c", -1, {}}});
  ASSERT_TRUE(skeleton);
  EXPECT_NEAR((*skeleton)->rest_model()[1].t.y, 2.0F, 1e-5F);
  EXPECT_EQ((*skeleton)->find("b"), 1);
  EXPECT_EQ((*skeleton)->find("nobody"), kNoJoint);
  std::vector<Affine> model(3);
  compute_model_from_joint(**skeleton, make_pose(**skeleton).view(), model);
  EXPECT_EQ(model[1], (*skeleton)->rest_model()[1]);
}

TEST(Skeleton, RefusesBadHierarchies) {
  EXPECT_FALSE(Skeleton::create({{"a", 0, {}}}));                 // Its own parent.
  EXPECT_FALSE(Skeleton::create({{"a", -2, {}}}));                // Below kNoJoint.
  EXPECT_FALSE(Skeleton::create({{"a", 1, {}}, {"b", -1, {}}}));  // Child first.
  const float infinite = std::numeric_limits<float>::infinity();
  const auto failed = Skeleton::create({{"hip", -1, {{infinite, 0, 0}}}});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().where.joint, "hip");
  EXPECT_EQ(Skeleton::create(std::vector<JointDesc>(70000)).error().code, ErrorCode::kLimit);
}

TEST(Skeleton, TopologyHashSeesNamesAndParents) {
  const auto hash = [](std::vector<JointDesc> joints) {
    return Skeleton::create(std::move(joints)).value()->topology_hash();
  };
  EXPECT_EQ(hash({{"a", -1, {}}}), hash({{"a", -1, {{5, 5, 5}}}}));
  EXPECT_NE(hash({{"a", -1, {}}}), hash({{"b", -1, {}}}));
}

}  // namespace
}  // namespace zoe
