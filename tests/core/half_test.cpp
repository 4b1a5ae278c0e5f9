// SPDX-License-Identifier: MIT
#include "zoe/core/half.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace zoe {
namespace {

// The definition of binary16, by way of ldexp.
double half_by_definition(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1f;
  const int fraction = half & 0x3ff;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Half, AllValuesMatchTheDefinitionAndRoundTrip) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = half_to_float(half);
    if ((bits & 0x7c00) == 0x7c00) {
      EXPECT_EQ(std::isnan(value), (bits & 0x3ff) != 0) << bits;
      EXPECT_EQ(std::isnan(half_to_float(float_to_half(value))), std::isnan(value));
      EXPECT_TRUE(!std::isinf(value) || float_to_half(value) == half);
      continue;
    }
    ASSERT_EQ(value, half_by_definition(half)) << bits;
    ASSERT_EQ(float_to_half(value), half) << bits;
  }
}

// Between two neighbours the nearer one, and at the middle the even one.
TEST(Half, RoundsToNearestEven) {
  for (std::uint16_t half = 0; half < 0x7bff; ++half) {
    const float low = half_to_float(half), high = half_to_float(static_cast<std::uint16_t>(half + 1));
    const float middle = 0.5f * (low + high);
    ASSERT_EQ(float_to_half(middle), half + (half & 1)) << half;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0f)), half) << half;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 1e9f)), half + 1) << half;
  }
  EXPECT_EQ(float_to_half(65519.0f), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
  EXPECT_EQ(float_to_half(-1e30f), 0xfc00);
}

TEST(BFloat16, RoundTripsAndRounds) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const float value = bfloat16_to_float(static_cast<std::uint16_t>(bits));
    ASSERT_TRUE(std::isnan(value) || float_to_bfloat16(value) == bits) << bits;
  }
  EXPECT_EQ(float_to_bfloat16(1.0f + 0x1p-8f), 0x3f80);            // A tie: to even.
  EXPECT_EQ(float_to_bfloat16(1.0f + 0x1p-7f + 0x1p-8f), 0x3f82);  // A tie: to even, upwards.
  EXPECT_EQ(float_to_bfloat16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(std::numeric_limits<float>::signaling_NaN()))));
}

}  // namespace
}  // namespace zoe
