// SPDX-License-Identifier: MIT
#include "zoe/core/index.h"

#include <limits>

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(Idx, IsTheSameNumber) {
  static_assert(idx(0) == 0 && idx(7) == 7);
  EXPECT_EQ(idx(std::numeric_limits<int>::max()), 2147483647U);
}

}  // namespace
}  // namespace zoe
