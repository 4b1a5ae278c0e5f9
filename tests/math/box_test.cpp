// SPDX-License-Identifier: MIT
// Boxes: what they hold, and how they move.
#include "zoe/math/box.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/math/transform.h"

namespace zoe {
namespace {

TEST(Box3, BeginsEmptyAndHoldsWhatIsAdded) {
  Box3 box;
  EXPECT_TRUE(box.empty());
  EXPECT_FALSE(box.contains({}));
  box.grow(1);
  EXPECT_TRUE(box.empty());
  box.add(Box3{});
  EXPECT_TRUE(box.empty());
  box.add(Vec3{1, 2, 3});
  EXPECT_FALSE(box.empty());
  EXPECT_EQ(box.size(), (Vec3{}));
  EXPECT_TRUE(box.contains({1, 2, 3}));
  box.add(Box3{{-1, 4, 3}, {0, 5, 8}});
  EXPECT_EQ(box, (Box3{{-1, 2, 3}, {1, 5, 8}}));
  EXPECT_EQ(box.center(), (Vec3{0, 3.5F, 5.5F}));
  EXPECT_EQ(box.half_size(), (Vec3{1, 1.5F, 2.5F}));
  EXPECT_EQ(box.longest_side(), 5);
  box.grow(0.5F);
  EXPECT_EQ(box, (Box3{{-1.5F, 1.5F, 2.5F}, {1.5F, 5.5F, 8.5F}}));
  EXPECT_FALSE(box.contains({1.6F, 3, 4}));
}

TEST(Box3, LeavesOutWhatIsNotANumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::array<Vec3, 3> points{Vec3{nan, nan, nan}, Vec3{1, 1, 1}, Vec3{2, nan, 0}};
  EXPECT_EQ(box_of(points), (Box3{{1, 1, 0}, {2, 1, 1}}));
}

TEST(Box3, MovedBoxHoldsItsMovedCorners) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const auto any = [&] { return Vec3{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}; };
    const Affine m{any(), any(), any(), any()};
    const std::array<Vec3, 2> points{any(), any()};
    const Box3 box = box_of(points);
    Box3 truth;
    for (const float x : {box.min.x, box.max.x}) {
      for (const float y : {box.min.y, box.max.y}) {
        for (const float z : {box.min.z, box.max.z}) truth.add(m.apply_point({x, y, z}));
      }
    }
    const Box3 moved = transformed(m, box);
    EXPECT_LT(distance(moved.min, truth.min), 1e-5F);
    EXPECT_LT(distance(moved.max, truth.max), 1e-5F);
  }
  EXPECT_TRUE(transformed(Affine{}, Box3{}).empty());
}

}  // namespace
}  // namespace zoe
