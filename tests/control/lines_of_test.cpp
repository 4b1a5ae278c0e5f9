// SPDX-License-Identifier: MIT
#include "control/lines_of.h"

#include <gtest/gtest.h>

namespace zoe::control {
namespace {

TEST(LinesOf, EveryLineEndsInABreak) {
  EXPECT_EQ(lines_of("hips\nleft foot\n"), (std::vector<std::string>{"hips", "left foot"}));
  EXPECT_EQ(lines_of("hips\n\nhead\n"), (std::vector<std::string>{"hips", "", "head"}));
  EXPECT_EQ(lines_of("\n"), std::vector<std::string>{""});
  EXPECT_EQ(lines_of("a\r\n"), std::vector<std::string>{"a\r"});
}

TEST(LinesOf, TextWithoutABreakIsNoLine) {
  EXPECT_TRUE(lines_of("").empty());
  EXPECT_TRUE(lines_of("hips").empty());
  EXPECT_EQ(lines_of("hips\nhea"), std::vector<std::string>{"hips"});
}

}  // namespace
}  // namespace zoe::control
