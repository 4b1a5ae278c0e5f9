// SPDX-License-Identifier: MIT
// A benchmark that claims more than the machine can do is found.
#include "support/limits.h"

#include <limits>

#include <gtest/gtest.h>

namespace zoe::bench {
namespace {

Row row(double ours, double limit) {
  return {.name = "fk/planted", .unit = "Mjoints/s", .ours = ours, .limit = limit, .limit_name = "memory bandwidth"};
}

TEST(BenchLimits, SharesUpToTheLimitAndItsNoisePass) {
  const Row rows[] = {row(50, 100), row(100, 100), row(104.9, 100), row(1e6, 0)};
  EXPECT_TRUE(broken_limits(rows).empty());
}

TEST(BenchLimits, APlantedRowBeyondItsLimitIsNamed) {
  const Row rows[] = {row(50, 100), row(105.1, 100)};
  const auto broken = broken_limits(rows);
  ASSERT_EQ(broken.size(), 1U);
  EXPECT_EQ(broken[0], "fk/planted: 105.1 Mjoints/s is 105 % of the limit (memory bandwidth), more than 105 %");
}

TEST(BenchLimits, FiguresThatAreNoNumbersAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Row rows[] = {row(nan, 100), row(-1, 100), row(10, nan), row(10, -1), row(nan, 0)};
  EXPECT_EQ(broken_limits(rows).size(), 5U);
}

}  // namespace
}  // namespace zoe::bench
