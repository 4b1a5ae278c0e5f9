// SPDX-License-Identifier: MIT
#include "zoe/math/finite.h"

#include <bit>
#include <cfloat>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"

namespace zoe {
namespace {

constexpr std::size_t kCount = 75;  // Four registers of AVX-512 and a rest.
constexpr float kInf = std::numeric_limits<float>::infinity();

// One bad number anywhere, in the vectorised part and in the rest behind it, with every instruction
// set.
TEST(AllFinite, FindsOneBadNumberAtAnyPlace) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    SCOPED_TRACE(target.name);
    for (const float bad : {kInf, -kInf, std::numeric_limits<float>::quiet_NaN(),
                            -std::numeric_limits<float>::quiet_NaN(), std::bit_cast<float>(0x7f800001U)}) {
      for (std::size_t i = 0; i < kCount; ++i) {
        std::vector<float> numbers(kCount, 1.0F);
        EXPECT_TRUE(all_finite(numbers));
        numbers[i] = bad;
        EXPECT_FALSE(all_finite(numbers)) << i;
      }
    }
  }
}

TEST(AllFinite, AcceptsTheExtremes) {
  const std::vector<float> numbers{0.0F, -0.0F, FLT_MAX, -FLT_MAX, FLT_MIN, FLT_TRUE_MIN, -FLT_TRUE_MIN};
  EXPECT_TRUE(all_finite(numbers));
  EXPECT_TRUE(all_finite(std::span<const float>()));
  EXPECT_TRUE(all_finite(std::span<const Vec3>()));
  std::vector<Vec3> values(9);
  EXPECT_TRUE(all_finite(values));
  values[8].z = kInf;
  EXPECT_FALSE(all_finite(values));
}

TEST(AllUnit, FindsOneBadRotationAtAnyPlace) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    SCOPED_TRACE(target.name);
    for (const Quat bad : {Quat{0, 0, 0, 0.998F}, Quat{0, 0, 0, 1.002F}, Quat{0, 0, 0, 0}, Quat{kInf, 0, 0, 1},
                           Quat{0, std::numeric_limits<float>::quiet_NaN(), 0, 1}}) {
      for (std::size_t i = 0; i < kCount; ++i) {
        std::vector<Quat> rotations(kCount, Quat{0.5F, -0.5F, 0.5F, -0.5F});
        EXPECT_TRUE(all_unit(rotations, 1e-3F));
        rotations[i] = bad;
        EXPECT_FALSE(all_unit(rotations, 1e-3F)) << i;
      }
    }
  }
  EXPECT_TRUE(all_unit({}, 1e-3F));
}

}  // namespace
}  // namespace zoe
