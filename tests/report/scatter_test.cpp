// SPDX-License-Identifier: MIT
#include "zoe/report/scatter.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(Scatter, EscapesTextAndLoadsNothing) {
  Scatter scatter;
  scatter.groups = {"<b>&", "walk"};
  scatter.points = {{0, 0, 0, "</title><script>alert(1)</script>"}, {1, 2, 1, "b"}};
  scatter.names = {{0.5F, 1, "a \"name\" <i>"}};
  const std::string page = html_scatter(scatter);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find("<i>"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;&amp; (1)"), std::string::npos);
}

TEST(Scatter, KeepsOutliersAndBadNumbersInTheFrame) {
  Scatter scatter;
  scatter.groups = {"a"};
  for (int i = 0; i < 2000; ++i)
    scatter.points.push_back({static_cast<float>(i % 40), static_cast<float>(i / 40), 0, ""});
  scatter.points.push_back({1e9F, -1e9F, 0, "far"});
  scatter.points.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 0, "none"});
  const std::string drawing = svg_scatter(scatter);
  EXPECT_EQ(drawing.find("nan"), std::string::npos);
  double largest = 0;
  std::set<std::string> places;
  for (std::size_t at = drawing.find("cx=\""); at != std::string::npos; at = drawing.find("cx=\"", at + 1)) {
    const std::string number = drawing.substr(at + 4, drawing.find('"', at + 4) - at - 4);
    largest = std::max(largest, std::stod(number));
    places.insert(number);
  }
  EXPECT_LE(largest, 900);
  EXPECT_GE(places.size(), 40U);  // Not squeezed by the outlier.
}

// Long names of neighbouring regions: inside the drawing, and not over each other.
TEST(Scatter, NamesStayReadable) {
  Scatter scatter;
  scatter.groups = {"a"};
  for (int i = 0; i < 100; ++i)
    scatter.points.push_back({static_cast<float>(i % 10), static_cast<float>(i / 10), 0, ""});
  for (int i = 0; i < 12; ++i)
    scatter.names.push_back({static_cast<float>(i % 4) * 3, static_cast<float>(i / 4) * 0.3F,
                             "a_region_with_a_long_name_" + std::to_string(i) + " + another_of_its_names"});
  const std::string drawing = svg_scatter(scatter);
  struct Line {
    double left, right, y;
  };
  std::vector<Line> lines;
  for (std::size_t at = drawing.find("<text x=\""); at != std::string::npos; at = drawing.find("<text x=\"", at + 1)) {
    const double x = std::stod(drawing.substr(at + 9)), y = std::stod(drawing.substr(drawing.find("y=\"", at) + 3));
    const std::size_t begin = drawing.find('>', at) + 1;
    const double half = 0.5 * 7.5 * static_cast<double>(drawing.find('<', begin) - begin);
    EXPECT_GE(x - half, 0);
    EXPECT_LE(x + half, 900);
    for (const Line& other : lines)
      EXPECT_FALSE(x - half < other.right && other.left < x + half && std::abs(y - other.y) < 12) << y;
    lines.push_back({x - half, x + half, y});
  }
  EXPECT_GE(lines.size(), 10U);  // Most have room.
}

TEST(Scatter, ColoursDiffer) {
  std::set<std::string> colours;
  for (std::size_t g = 0; g < 24; ++g) {
    const std::string colour = group_color(g, 24);
    EXPECT_EQ(colour.size(), 7U);
    colours.insert(colour);
  }
  EXPECT_EQ(colours.size(), 24U);
}

}  // namespace
}  // namespace zoe
