// SPDX-License-Identifier: MIT
// Part of Zoetrope. Pieces of a report page: escaped text, tables, charts as inline SVG. A page loads nothing from
// other files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zoe {

std::string escape_html(std::string_view text);

// The start of a page, with the styles of the pieces below. The title is escaped.
std::string page_head(std::string_view title);

// Cells are escaped. Columns marked by 'n' in `numeric` are aligned to the right.
std::string html_table(std::span<const std::string> head, const std::vector<std::vector<std::string>>& rows,
                       std::string_view numeric = {});

struct Histogram {
  std::string title, unit;  // unit: of the x axis.
  std::string y_title;
  std::vector<double> values;  // One per bin.
  double first = 0, bin = 1;   // Left edge of the first bin, and width.
  bool last_is_open = false;   // The last bin holds all larger values.
};
std::string svg_histogram(const Histogram& histogram);

// A chart without data: its title and the reason.
std::string svg_note(const std::string& title, const std::string& text);

struct Bar {
  std::string name;
  double value = 0;
};
// Horizontal bars, one per line, in the given order.
std::string svg_bars(const std::string& title, const std::string& unit, std::span<const Bar> bars);

// Lines over a common x axis. The y axis is logarithmic where values are positive and their ratio exceeds 20. The
// second line is dotted.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
};
std::string svg_curves(const std::string& title, std::span<const Curve> curves);

// Bars of one measure beside each other, with their deviations.
struct MeasuredBar {
  std::string name;
  double value = 0, deviation = 0;
  std::optional<double> reference;  // A dashed line across the bar.
};
struct MeasureChart {
  std::string title;
  std::vector<MeasuredBar> bars;
};
// One SVG of all charts that is a complete file: colours are inside. `reference`: the meaning of dashed lines.
std::string svg_measures(std::span<const MeasureChart> charts, const std::string& reference);

}  // namespace zoe
