// SPDX-License-Identifier: MIT
#include "zoe/report/page.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace zoe {
namespace {

// Bars of a histogram are as high as their values say.
TEST(Page, HistogramBars) {
  const std::string svg =
      svg_histogram({.title = "t", .unit = "u", .y_title = "y", .values = {1, 0, 4}, .first = 0, .bin = 0.5});
  std::vector<double> heights;
  for (std::size_t at = svg.find("class=b"); at != std::string::npos; at = svg.find("class=b", at + 1))
    heights.push_back(std::stod(svg.substr(svg.find("height=", at) + 7)));
  ASSERT_EQ(heights.size(), 2U);  // None for zero.
  EXPECT_NEAR(heights[1], 4 * heights[0], 0.05);
  EXPECT_NE(svg.find("1 to 1.5 u: 4"), std::string::npos);
}

// A snake's contacts are no plot of zeros.
TEST(Page, APlotOfNothingSaysWhy) {
  const std::string svg = svg_note("Feet <on> the ground", "no feet");
  EXPECT_NE(svg.find(">no feet<"), std::string::npos);
  EXPECT_NE(svg.find("Feet &lt;on&gt; the ground"), std::string::npos);
  EXPECT_EQ(svg.find("class=g"), std::string::npos);
}

}  // namespace
}  // namespace zoe
