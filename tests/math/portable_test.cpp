// SPDX-License-Identifier: MIT
#include "zoe/math/portable.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/core/hash64.h"
#include "zoe/core/random.h"

namespace zoe {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Portable, EqualsTheLibraryToADoublesPrecision) {
  Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const double range = std::pow(10, random.uniform(-8, 5.9F)), x = range * random.uniform(-1, 1),
                 y = range * random.uniform(-1, 1);
    ASSERT_NEAR(portable_sin(x), std::sin(x), 1e-15) << x;
    ASSERT_NEAR(portable_cos(x), std::cos(x), 1e-15) << x;
    ASSERT_NEAR(portable_atan2(y, x), std::atan2(y, x), 1e-15) << y << ", " << x;
    ASSERT_NEAR(portable_hypot(x, y), std::hypot(x, y), 1e-15 * range);
    const double c = random.uniform(-1, 1);
    ASSERT_NEAR(portable_acos(c), std::acos(c), 1e-15) << c;
    const double e = 80 * random.uniform(-1, 1);
    ASSERT_NEAR(portable_exp(e) / std::exp(e), 1, 2e-15) << e;
    ASSERT_NEAR(portable_exp2(e) / std::exp2(e), 1, 2e-15) << e;
  }
}

TEST(Portable, SpecialNumbersAsInTheLibrary) {
  for (const double y : {0.0, -0.0, 1.0, -1.0, kInfinity, -kInfinity}) {
    for (const double x : {0.0, -0.0, 1.0, -1.0, kInfinity, -kInfinity}) {
      EXPECT_EQ(portable_atan2(y, x), std::atan2(y, x)) << y << ", " << x;
      EXPECT_EQ(std::signbit(portable_atan2(y, x)), std::signbit(std::atan2(y, x))) << y << ", " << x;
    }
  }
  EXPECT_EQ(portable_exp(0.0), 1);
  EXPECT_EQ(portable_exp(-kInfinity), 0);
  EXPECT_EQ(portable_exp(kInfinity), kInfinity);
  EXPECT_EQ(portable_exp2(-3.0), 0.125);
  EXPECT_EQ(portable_sin(0.0F), 0);
  EXPECT_EQ(portable_cos(0.0F), 1);
  for (const double x : {kInfinity, -kInfinity, std::nan("")}) {
    EXPECT_TRUE(std::isnan(portable_sin(x)));
    EXPECT_TRUE(std::isnan(portable_cos(x)));
  }
  EXPECT_TRUE(std::isnan(portable_atan2(std::nan(""), 1)));
  EXPECT_TRUE(std::isnan(portable_acos(1.5)));
  EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
  EXPECT_TRUE(std::abs(portable_sin(1e30)) <= 1);
}

// Bits are part of the interface: peers of a network game compare hashes.
TEST(Portable, BitsNeverChange) {
  Hash64 hash;
  for (int i = -20000; i < 20000; ++i) {
    const float x = static_cast<float>(i) * 0.0137F, y = static_cast<float>(i * 7 % 1000) * 0.01F;
    const float values[] = {portable_sin(x),         portable_cos(x),        portable_atan2(x, y - 3),
                            portable_acos(y * 0.1F), portable_exp(x * 0.1F), portable_exp2(x * 0.1F),
                            portable_hypot(x, y)};
    hash.add(std::as_bytes(std::span(values)));
  }
  EXPECT_EQ(hash.finish(), 7827474593449531625U);
}

}  // namespace
}  // namespace zoe
