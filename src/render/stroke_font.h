// SPDX-License-Identifier: MIT
// Letters as strokes on a small grid, drawn for this project. They scale to any size and need no texture and no font
// file.
#pragma once

#include <string_view>

namespace zoe::render {

constexpr int kCapHeight = 6;  // Grid units from the baseline to the top of capitals and digits.
constexpr int kBaseline = 2;   // Grid line of the baseline; below it descenders.

struct Glyph {
  std::string_view strokes;  // Points "xy", a blank between strokes; a single point is a dot.
  int advance = 5;           // Grid units to the next letter.
};

// A box for characters other than printable ASCII.
Glyph glyph_of(char letter);

}  // namespace zoe::render
