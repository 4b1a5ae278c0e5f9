// SPDX-License-Identifier: MIT
#include "zoe/render/overlay.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "render/stroke_font.h"

namespace zoe::render {
namespace {

TEST(StrokeFont, EveryLetterIsWellFormedAndDiffers) {
  std::set<std::string> seen;
  for (char letter = '!'; letter <= '~'; ++letter) {
    const Glyph glyph = glyph_of(letter);
    EXPECT_FALSE(glyph.strokes.empty()) << letter;
    // The letter O is drawn as the digit.
    EXPECT_TRUE(seen.insert(std::string(glyph.strokes)).second || letter == 'O') << letter;
    // Strokes are pairs of digits; their x stays inside the advance.
    std::size_t digits = 0;
    for (std::size_t i = 0; i < glyph.strokes.size(); ++i) {
      const char c = glyph.strokes[i];
      if (c == ' ') {
        EXPECT_EQ(digits % 2, 0U) << letter;
        digits = 0;
        continue;
      }
      ASSERT_TRUE(c >= '0' && c <= '9') << letter;
      EXPECT_TRUE(digits % 2 == 1 || c - '0' < glyph.advance) << letter;
      ++digits;
    }
    EXPECT_EQ(digits % 2, 0U) << letter;
  }
}

TEST(Overlay, TextStaysInItsBox) {
  Overlay overlay;
  overlay.text(100, 50, "Walk gj|1.25 s", 12, {1, 1, 1, 1});
  ASSERT_GT(overlay.lines().size(), 20U);
  const float width = text_width_px("Walk gj|1.25 s", 12);
  for (const OverlayLine& line : overlay.lines()) {
    for (const Vec3 p : {line.start, line.end}) {
      EXPECT_GE(p.x, 100);
      EXPECT_LE(p.x, 100 + width);
      EXPECT_GE(p.y, 50 - 12 - 2.01F);  // Capitals, and the dollar sign's bar.
      EXPECT_LE(p.y, 50 + 4.01F);       // Descenders: two of six units.
    }
    EXPECT_EQ(line.space, LineSpace::kScreen);
  }
}

TEST(Overlay, TextIsAnchored) {
  for (const auto& [anchor, shift] : {std::pair{Anchor::kCenter, 0.5F}, std::pair{Anchor::kRight, 1.0F}}) {
    Overlay left, other;
    left.text(0, 0, "Hop", 10, {});
    other.text(0, 0, "Hop", 10, {}, anchor);
    EXPECT_NEAR(left.lines()[0].start.x - other.lines()[0].start.x, shift * text_width_px("Hop", 10), 1e-4);
  }
}

TEST(Overlay, ShapesAreOfTheirSize) {
  Overlay overlay;
  overlay.circle({1, 2, 3}, {0, 1, 0}, 0.5F, {}, 1, 16);
  EXPECT_EQ(overlay.lines().size(), 16U);
  for (const OverlayLine& line : overlay.lines()) {
    EXPECT_NEAR(distance(line.start, Vec3{1, 2, 3}), 0.5F, 1e-5);
    EXPECT_NEAR(line.start.y, 2, 1e-6);
  }
  EXPECT_NEAR(distance(overlay.lines().back().end, overlay.lines().front().start), 0, 1e-5);
  overlay.clear();
  overlay.box({{1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {0, 0, 0}}, {});
  EXPECT_EQ(overlay.lines().size(), 12U);
}

}  // namespace
}  // namespace zoe::render
