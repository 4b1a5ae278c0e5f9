// SPDX-License-Identifier: MIT
// Part of Zoetrope. Many points on a page: coloured by group, with a text for each under the pointer.
#pragma once

#include <string>
#include <vector>

namespace zoe {

struct ScatterPoint {
  float x = 0, y = 0;
  int group = 0;     // Index into Scatter::groups.
  std::string text;  // Displayed under the pointer.
};

struct ScatterName {
  float x = 0, y = 0;
  std::string text;
};

struct Scatter {
  std::vector<std::string> groups;
  std::vector<ScatterPoint> points;
  std::vector<ScatterName> names;  // Of regions, drawn above the points.
};

// An SVG with a legend, a box that follows the pointer, and a short script: a click on a name of the legend dims the
// other groups. Nothing is loaded from elsewhere. Without scripts, browsers display the texts as tooltips. All text is
// escaped.
std::string html_scatter(const Scatter& scatter);

// The drawing alone, as a complete file.
std::string svg_scatter(const Scatter& scatter);

// Distinct colours for groups, "#rrggbb".
std::string group_color(std::size_t group, std::size_t num_groups);

}  // namespace zoe
