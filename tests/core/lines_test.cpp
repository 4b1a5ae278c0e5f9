// SPDX-License-Identifier: MIT
#include "zoe/core/lines.h"

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(LinesOf, ABreakEndsALine) {
  EXPECT_EQ(lines_of("hips\nleft foot\n"), (std::vector<std::string>{"hips", "left foot"}));
  EXPECT_EQ(lines_of("hips\n\nhead\n"), (std::vector<std::string>{"hips", "", "head"}));
  EXPECT_EQ(lines_of("\n"), std::vector<std::string>{""});
  EXPECT_EQ(lines_of("a\r\n"), std::vector<std::string>{"a\r"});
}

TEST(LinesOf, TheLastLineMayLackItsBreak) {
  EXPECT_TRUE(lines_of("").empty());
  EXPECT_EQ(lines_of("hips"), std::vector<std::string>{"hips"});
  EXPECT_EQ(lines_of("hips\nhead"), (std::vector<std::string>{"hips", "head"}));
}

}  // namespace
}  // namespace zoe
