// SPDX-License-Identifier: MIT
// Where the arithmetic changes over to a fallback: just on one side, just on the other, with every instruction set.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/math/batch.h"
#include "zoe/math/batch_reference.h"
#include "zoe/math/euler.h"
#include "zoe/math/finite.h"
#include "zoe/math/rotation_6d.h"
#include "zoe/math/simd_dispatch.h"

namespace zoe {
namespace {

Quat decoded(Vec3 x, Vec3 y, bool batched) {
  const std::vector<float> six{x.x, x.y, x.z, y.x, y.y, y.z};
  if (!batched) return from_6d(Rotation6{x, y});
  std::vector<float> out(4);
  batch::decode_6d(1, {six.data(), 1}, {out.data(), 1});
  return {out[0], out[1], out[2], out[3]};
}
Quat normalised(Quat q) {
  const std::vector<float> in{q.x, q.y, q.z, q.w};
  std::vector<float> out(4);
  batch::normalize_quats(1, {in.data(), 1}, {out.data(), 1});
  return {out[0], out[1], out[2], out[3]};
}

TEST(Thresholds, ASecondAxisCountsFromAMillionthOffTheFirst) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    SCOPED_TRACE(target.name);
    for (const bool batched : {false, true}) {
      // x along +x and y towards +z: a quarter turn about x. The fallback has y along +y: no turn.
      EXPECT_LT(distance(rotate(decoded({1, 0, 0}, {1, 0, 1.3e-6F}, batched), Vec3{0, 1, 0}), Vec3{0, 0, 1}), 1e-5F);
      EXPECT_LT(distance(rotate(decoded({1, 0, 0}, {1, 0, 0.8e-6F}, batched), Vec3{0, 1, 0}), Vec3{0, 1, 0}), 1e-5F);
      // The fallback is +y where x is at most 0.9 upright, else +z.
      for (const float up : {0.85F, 0.95F}) {
        const Vec3 x{std::sqrt(1 - up * up), up, 0};
        const Vec3 other = up < 0.9F ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
        const Vec3 y = normalized(other - x * dot(x, other));
        EXPECT_LT(distance(rotate(decoded(x, {}, batched), Vec3{0, 1, 0}), y), 1e-5F) << up;
      }
    }
  }
}

TEST(Thresholds, DirectionsAreLostBelowALengthOf1e15th) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    SCOPED_TRACE(target.name);
    const Quat kept = normalised({1.3e-15F, 0, 0, 0}), lost = normalised({0.8e-15F, 0, 0, 0});
    EXPECT_NEAR(kept.x, 1, 1e-5F);
    EXPECT_EQ(lost, Quat{});
    EXPECT_LT(distance(rotate(decoded({0, 0, 1.3e-15F}, {0, 1, 0}, true), Vec3{1, 0, 0}), Vec3{0, 0, 1}), 1e-5F);
    EXPECT_LT(distance(rotate(decoded({0, 0, 0.8e-15F}, {0, 1, 0}, true), Vec3{1, 0, 0}), Vec3{1, 0, 0}), 1e-5F);
  }
}

// Sums and differences of the diagonal decide which of Shepperd's four cases is used: half turns about axes on both
// sides of every border.
TEST(Thresholds, EveryCaseOfAMatrixGivesItsRotation) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    SCOPED_TRACE(target.name);
    for (const float angle : {0.1F, 1.5F, 2.2F, 3.1F}) {
      for (int i = 0; i < 200; ++i) {
        const float a = 0.1F * static_cast<float>(i), z = -0.995F + 0.01F * static_cast<float>(i);
        const float r = std::sqrt(1 - z * z);
        const Quat q = from_axis_angle(Vec3{r * std::cos(a), r * std::sin(a), z}, angle);
        const Rotation6 six = to_6d(q);
        EXPECT_LT(angle_between(decoded(six.x, six.y, true), q), 2e-6F) << angle << " " << i;
      }
    }
  }
}

TEST(Thresholds, InterpolationIsExactAcrossItsBorderOfSmallAngles) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    SCOPED_TRACE(target.name);
    for (const float angle : {1e-4F, 1e-3F, 3e-3F, 0.01F, 0.1F, 1.0F, 3.0F}) {
      for (const float t : {0.0F, 0.25F, 0.9F, 1.0F}) {
        const Quat b = from_axis_angle(Vec3{0, 0, 1}, angle);
        const std::vector<float> from{0, 0, 0, 1}, to{b.x, b.y, b.z, b.w};
        std::vector<float> out(4);
        batch::slerp_quats(1, {from.data(), 1}, {to.data(), 1}, &t, {out.data(), 1});
        EXPECT_NEAR(2 * std::atan2(out[2], out[3]), t * angle, 1e-6F + 1e-6F * angle) << angle << " at " << t;
      }
    }
  }
}

TEST(Thresholds, ASquareAtTheToleranceIsNotAUnit) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    SCOPED_TRACE(target.name);
    const std::vector<Quat> half{{0, 0, 0, 0.5F}}, each{{0.5F, 0, 0, 0}}, second{{0, 0.5F, 0, 0}},
        third{{0, 0, 0.5F, 0}};
    for (const auto& q : {half, each, second, third}) {  // The square is 0.25, exactly 0.75 off.
      EXPECT_FALSE(all_unit(q, 0.75F));
      EXPECT_TRUE(all_unit(q, 0.7501F));
    }
  }
}

TEST(Thresholds, ForcingATargetEndsWithItsObject) {
  const std::string best = batch::instruction_set();
  const auto targets = simd::supported_targets();
  EXPECT_EQ(best, targets.front().name);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    {
      const simd::ForceTarget force(targets[i]);
      EXPECT_EQ(std::string(batch::instruction_set()), targets[i].name);
    }
    EXPECT_EQ(std::string(batch::instruction_set()), best);
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(targets[i].id, targets[k].id);
  }
}

TEST(Thresholds, AWordRestrictsAllKernelsUntilTheNextCall) {
  const std::string best = simd::target_in_use();
  const auto names = simd::supported_targets();
  const auto has = [&](std::string_view name) {
    return std::any_of(names.begin(), names.end(), [&](const simd::Target& target) { return target.name == name; });
  };
  ASSERT_TRUE(simd::restrict_targets("scalar"));
  EXPECT_EQ(std::string(simd::target_in_use()), names.back().name);
  EXPECT_EQ(simd::supported_targets().size(), 1U);
  for (const auto& [word, name] : {std::pair{"avx512", "AVX3"}, {"avx2", "AVX2"}, {"sse4", "SSE4"}}) {
    if (!has(name)) continue;
    ASSERT_TRUE(simd::restrict_targets(word)) << word;
    EXPECT_EQ(std::string(simd::target_in_use()), name);
    EXPECT_EQ(std::string(simd::supported_targets().front().name), name);
  }
  // An unknown word is an error that names the known ones, and restricts nothing.
  const auto unknown = simd::restrict_targets("avx");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("scalar"), std::string::npos) << unknown.error().message;
  EXPECT_EQ(simd::target_in_use(), best);
  ASSERT_TRUE(simd::restrict_targets(""));
  EXPECT_EQ(simd::target_in_use(), best);
}

// Within a right angle of the middle the three angles are unique, so they must come back as they were.
TEST(Thresholds, EulerAnglesComeBackAsTheyWere) {
  for (const EulerOrder order :
       {EulerOrder::kXYZ, EulerOrder::kXZY, EulerOrder::kYXZ, EulerOrder::kYZX, EulerOrder::kZXY, EulerOrder::kZYX}) {
    for (const double middle : {-1.5, -0.3, 0.0, 0.4, 1.57079632, -1.57079632}) {
      for (const double first : {-3.0, 0.2, 2.0}) {
        for (const double last : {-2.5, -0.1, 3.0}) {
          const auto angles = to_euler(order, from_euler<double>(order, {first, middle, last}));
          EXPECT_NEAR(angles[1], middle, 1e-7);
          if (std::abs(middle) > 1.57) continue;
          EXPECT_NEAR(angles[0], first, 1e-9);
          EXPECT_NEAR(angles[2], last, 1e-9);
        }
      }
    }
    // In gimbal lock the last angle is zero, and the first has all of the turn that is left.
    const auto locked = to_euler(order, from_euler<double>(order, {0.7, std::numbers::pi / 2, 0.0}));
    EXPECT_NEAR(locked[0], 0.7, 1e-7);
    EXPECT_EQ(locked[2], 0);
  }
}

}  // namespace
}  // namespace zoe
