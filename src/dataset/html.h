// SPDX-License-Identifier: MIT
// Pieces of a page: escaped text, tables, bar charts as inline SVG.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zoe::dataset {

std::string escape_html(std::string_view text);

// Cells are escaped; those of columns that `numeric` names (by a letter 'n') are aligned to the
// right.
std::string html_table(std::span<const std::string> head,
                       const std::vector<std::vector<std::string>>& rows,
                       std::string_view numeric = {});

struct Histogram {
  std::string title, unit;  // Of the x axis.
  std::string y_title;
  std::vector<double> values;  // One a bin.
  double first = 0, bin = 1;   // Left edge of the first bin, and width.
  bool last_is_open = false;   // The last bin holds everything beyond.
};
std::string svg_histogram(const Histogram& histogram);

// A plot of nothing: its title and why.
std::string svg_note(const std::string& title, const std::string& text);

struct Bar {
  std::string name;
  double value = 0;
};
// Horizontal bars, one a line, in the given order.
std::string svg_bars(const std::string& title, const std::string& unit, std::span<const Bar> bars);

}  // namespace zoe::dataset
