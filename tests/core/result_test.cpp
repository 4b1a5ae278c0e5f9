// SPDX-License-Identifier: MIT
#include "zoe/core/result.h"

#include <gtest/gtest.h>

namespace zoe {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return Error{ErrorCode::kInvalid, "odd", {.file = "a.bvh", .line = 3, .joint = "Hips"}};
  return value / 2;
}

Result<int> quarter(int value) {
  ZOE_TRY_ASSIGN(const int once, half(value));
  ZOE_TRY(half(once));
  return half(once);
}

TEST(Result, HoldsValueOrError) {
  EXPECT_EQ(quarter(8).value(), 2);
  const Result<int> failed = quarter(6);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(failed.error().format(), "a.bvh:3 (joint Hips): odd");
  EXPECT_EQ(failed.value_or(7), 7);
}

TEST(Result, FormatsPlaces) {
  EXPECT_EQ((Where{.file = "x.glb", .byte_offset = 500}).format(), "x.glb@0x1f4");
  EXPECT_EQ((Where{.line = 9}).format(), "line 9");
  EXPECT_EQ((Where{}).format(), "");
  EXPECT_EQ((Warning{"late", {}}).format(), "late");
}

TEST(ResultDeathTest, ValueOfAFailureAbortsWithItsText) {
  EXPECT_DEATH((void)half(1).value(), "odd");
  EXPECT_DEATH((void)half(2).error(), "holds a value");
}

}  // namespace
}  // namespace zoe
