// SPDX-License-Identifier: MIT
// Copies of poses: all values, scales where both have them, and no memory.
#include "zoe/character/copy_pose.h"

#include <gtest/gtest.h>

#include "support/allocation.h"

namespace zoe {
namespace {

Pose make_numbers(std::size_t joints, float offset, bool scales) {
  Pose pose;
  for (std::size_t j = 0; j < joints; ++j) {
    const float v = offset + static_cast<float>(j);
    pose.translations.push_back({v, v + 0.1F, v + 0.2F});
    pose.rotations.push_back(normalized(Quat{v, 1, 2, 3}));
    if (scales) pose.scales.push_back({v, v, v});
  }
  return pose;
}

TEST(CopyPose, CopiesEverythingWithoutMemory) {
  const Pose from = make_numbers(5, 10, true);
  Pose to = make_numbers(5, 0, true);
  const test::AllocationMeter meter;
  copy_pose(from.view(), span_of(to));
  EXPECT_EQ(meter.allocations(), 0U);
  EXPECT_EQ(to.translations, from.translations);
  EXPECT_EQ(to.rotations, from.rotations);
  EXPECT_EQ(to.scales, from.scales);
}

TEST(CopyPose, KeepsScalesThatOneSideLacks) {
  const Pose plain = make_numbers(3, 10, false), scaled = make_numbers(3, 0, true);
  Pose to = scaled;
  copy_pose(plain.view(), span_of(to));
  EXPECT_EQ(to.translations, plain.translations);
  EXPECT_EQ(to.scales, scaled.scales);
  Pose bare = plain;
  copy_pose(scaled.view(), span_of(bare));
  EXPECT_EQ(bare.rotations, scaled.rotations);
  EXPECT_TRUE(bare.scales.empty());
}

TEST(CopyPoseDeathTest, RefusesAnotherNumberOfJoints) {
  const Pose from = make_numbers(3, 0, true);
  Pose to = make_numbers(4, 0, true);
  EXPECT_DEATH(copy_pose(from.view(), span_of(to)), "numbers of joints");
}

}  // namespace
}  // namespace zoe
