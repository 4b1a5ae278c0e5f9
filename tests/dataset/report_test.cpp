// SPDX-License-Identifier: MIT
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/core/page.h"

#include "dataset/figures.h"

namespace zoe::dataset {
namespace {

TEST(Report, HoldsTheNumbersAndNothingFromElsewhere) {
  const auto folder = test::walk_folder("ds_report", 6);
  std::ofstream(folder / "a<b>.bvh") << "nonsense";
  std::ofstream(folder / "LICENSE") << "# CC0 1.0 Universal\n\nmore text\n";
  const auto options = test::build_options(folder, test::temporary_dir("ds_report_out"));
  ASSERT_TRUE(build(options));
  const auto files = test::contents(options.output);
  const std::string& page = files.at("report.html");
  EXPECT_NE(page.find("6 clips"), std::string::npos);
  EXPECT_NE(page.find("CC0 1.0 Universal"), std::string::npos);
  EXPECT_EQ(page.find("more text"), std::string::npos);
  EXPECT_NE(page.find("a&lt;b&gt;.bvh"), std::string::npos);
  EXPECT_EQ(page.find("a<b>"), std::string::npos);
  EXPECT_NE(page.find("unreadable"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_NE(page.find("subject2"), std::string::npos);
}

// Bars of a histogram are as high as their values say.
TEST(Report, HistogramBars) {
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
TEST(Report, APlotOfNothingSaysWhy) {
  const std::string svg = svg_note("Feet <on> the ground", "no feet");
  EXPECT_NE(svg.find(">no feet<"), std::string::npos);
  EXPECT_NE(svg.find("Feet &lt;on&gt; the ground"), std::string::npos);
  EXPECT_EQ(svg.find("class=g"), std::string::npos);
}

}  // namespace
}  // namespace zoe::dataset
