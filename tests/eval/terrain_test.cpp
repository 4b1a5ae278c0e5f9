// SPDX-License-Identifier: MIT
// Feet on uneven ground, and grounds from files.
#include "zoe/eval/terrain.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/eval/grounds.h"
#include "zoe/eval/height_file.h"
#include "zoe/store/npy.h"

#include "support/data.h"

namespace zoe::eval {
namespace {

// One foot: a joint that is carried along +Z above a ground.
struct OneFoot {
  control::Body body;
  Motion motion;
  std::vector<float> contacts;
};
OneFoot foot_above(const Ground& ground, float above_m) {
  OneFoot out;
  out.body.skeleton =
      Skeleton::create({{"root", kNoJoint, {}, JointKind::kNode}, {"foot", 0, {}, JointKind::kBone}}).value();
  out.body.contact_joints = {1};
  control::BodyLeg leg;
  leg.leg.hip = leg.leg.knee = 0;
  leg.leg.ankle = 1;
  leg.leg.ankle_height_m = 0.1F;
  leg.ankle_contact = 0;
  out.body.legs = {leg};
  out.motion = make_motion(out.body.skeleton, "foot", 10, 40, false);
  for (int f = 0; f < 40; ++f) {
    const float z = 0.05F * static_cast<float>(f);
    out.motion.translations[static_cast<std::size_t>(2 * f)] = {0.3F, ground.height(0.3F, z) + 0.1F + above_m, z};
    out.contacts.push_back(f % 2 == 0 ? 1.0F : 0.0F);
  }
  return out;
}

TEST(Surface, DepthAndGapAreThoseOfTheFoot) {
  const GroundPtr ground = make_terrain_ground(TerrainShape::kRough, 3);
  const OneFoot high = foot_above(*ground, 0.03F), deep = foot_above(*ground, -0.02F);
  const SurfaceMetrics above = measure_on_ground(high.motion, high.contacts, high.body, *ground),
                       below = measure_on_ground(deep.motion, deep.contacts, deep.body, *ground);
  EXPECT_NEAR(above.gap_cm, 3, 1e-2);
  EXPECT_NEAR(above.gap_p95_cm, 3, 1e-2);
  EXPECT_EQ(above.penetration_cm, 0);
  EXPECT_NEAR(above.foot_skate_cm_s, 50, 0.1) << "5 cm in a tenth of a second";
  EXPECT_NEAR(above.contact_share, 19.0 / 40, 1e-9) << "the first frame has no speed";
  EXPECT_NEAR(below.penetration_cm, 2, 1e-2);
  EXPECT_EQ(below.gap_cm, 0);
}

TEST(Grounds, GoByShapeAndSeed) {
  const GroundPtr a = make_ground("stairs:7").value();
  EXPECT_EQ(a->height(0.2F, 5), make_terrain_ground(TerrainShape::kStairs, 7)->height(0.2F, 5));
  EXPECT_TRUE(make_ground("beams:0"));
  EXPECT_NE(make_ground("stairs:x").error().message.find("whole number"), std::string::npos);
  EXPECT_NE(make_ground("stiars:7").error().message.find("stairs"), std::string::npos);
}

ArrayView view_of(const std::vector<float>& values, std::vector<std::size_t> shape) {
  ArrayView view;
  view.dtype = DType::kF32;
  view.item_bytes = sizeof(float);
  view.shape = std::move(shape);
  view.bytes = std::as_bytes(std::span(values));
  return view;
}

TEST(HeightFile, HolesAreFilledAndCounted) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  // What maps have where there is no data: NaN, the least 16-bit number, the largest float.
  const std::vector<float> heights{1, 1, 1, 2, nan, 3.4e38F, 3, -32768, 0.5F};
  const std::filesystem::path file = test::temporary_dir("heights") / "hills.npy";
  ASSERT_TRUE(write_npy(file, view_of(heights, {3, 3})));
  Warnings warnings;
  const GroundPtr ground = make_ground(file.string() + ":2", &warnings).value();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].message.find("3 of 9"), std::string::npos);
  // The middle is a hole whose lowest neighbour is 1; it is the origin, at height 0. Cells are 2 m.
  EXPECT_NEAR(ground->height(0, 0), 0, 1e-6F);
  EXPECT_NEAR(ground->height(-2, 2), 3 - 1, 1e-6F);
  EXPECT_NEAR(ground->height(2, 2), 0.5F - 1, 1e-6F);
  EXPECT_NEAR(ground->height(2, 0), 0.5F - 1, 1e-6F) << "the hole beside it has the lowest neighbour's height";

  ASSERT_TRUE(write_npy(file, view_of({nan, nan, nan, nan}, {2, 2})));
  EXPECT_NE(make_ground(file.string()).error().message.find("no finite height"), std::string::npos);
  ASSERT_TRUE(write_npy(file, view_of(heights, {9})));
  EXPECT_NE(make_ground(file.string()).error().message.find("two dimensions"), std::string::npos);
  EXPECT_FALSE(make_ground(file.string() + ":0"));
  EXPECT_FALSE(make_ground("absent.npy"));
}

// Damaged files give an error or a ground with finite heights.
TEST(HeightFile, SurvivesDamage) {
  const std::filesystem::path file = test::temporary_dir("damaged_heights") / "hills.npy";
  ASSERT_TRUE(write_npy(file, view_of({0, 1, 2, 3, 4, 5}, {2, 3})));
  const std::string good(MappedFile::open(file).value().text());
  for (std::size_t i = 0; i < good.size(); i += 3) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ static_cast<char>(1U << (i % 8)));
    ASSERT_TRUE(write_file_atomic(file, bad));
    const auto ground = make_ground(file.string());
    EXPECT_TRUE(!ground || std::isfinite((*ground)->height(0.05F, 0.05F)));
    ASSERT_TRUE(write_file_atomic(file, good.substr(0, i)));
    EXPECT_FALSE(make_ground(file.string()));
  }
}

}  // namespace
}  // namespace zoe::eval
