// SPDX-License-Identifier: MIT
#include "zoe/sprite/palette.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe::sprite {
namespace {

// Published values of OKLab: white, and linear-sRGB primaries.
TEST(Palette, OklabOfKnownColours) {
  const Vec3d white = oklab_from({255, 255, 255}), red = oklab_from({255, 0, 0}), blue = oklab_from({0, 0, 255});
  EXPECT_NEAR(white.x, 1, 1e-4);
  EXPECT_NEAR(white.y, 0, 1e-4);
  EXPECT_NEAR(red.x, 0.62796, 1e-4);
  EXPECT_NEAR(red.y, 0.22486, 1e-4);
  EXPECT_NEAR(red.z, 0.12585, 1e-4);
  EXPECT_NEAR(blue.x, 0.45201, 1e-4);
  EXPECT_NEAR(blue.z, -0.31153, 1e-4);
}

TEST(Palette, FewColoursAreKeptAsTheyAre) {
  const std::vector<Rgb> colors{{10, 20, 30}, {200, 40, 50}, {60, 220, 90}, {250, 250, 240}};
  ColorCounts counts;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    for (std::size_t k = 0; k < 1 + 100 * i; ++k) counts.add(colors[i]);
  }
  const std::vector<Rgb> palette = counts.choose(8);
  ASSERT_EQ(palette.size(), colors.size());
  for (const Rgb color : colors) {
    EXPECT_TRUE(std::any_of(palette.begin(), palette.end(), [&](Rgb other) {
      return std::abs(other.r - color.r) <= 1 && std::abs(other.g - color.g) <= 1 && std::abs(other.b - color.b) <= 1;
    }));
  }
}

// More colours: the error falls, and the number is as requested.
TEST(Palette, MoreColoursFitBetter) {
  Random random(4);
  ColorCounts counts;
  std::vector<Rgb> colors;
  for (int i = 0; i < 4000; ++i) {
    const auto byte = [&] { return static_cast<std::uint8_t>(random.uniform() * 255); };
    colors.push_back({byte(), byte(), byte()});
    counts.add(colors.back());
  }
  double before = 1e30;
  for (const int num : {2, 8, 32, 128}) {
    const std::vector<Rgb> palette = counts.choose(num);
    EXPECT_LE(static_cast<int>(palette.size()), num);
    EXPECT_GE(static_cast<int>(palette.size()), num * 9 / 10);
    const PaletteMap map(palette);
    double error = 0;
    for (const Rgb color : colors) {
      const Vec3d difference = oklab_from(color) - oklab_from(palette[map.nearest(color)]);
      error += dot(difference, difference);
    }
    EXPECT_LT(error, before * 0.8);
    before = error;
  }
}

TEST(Palette, FilesOfGimpAndHex) {
  const auto gpl =
      parse_palette("GIMP Palette\nName: x\nColumns: 4\n# note\n255 136 0\tOrange\n  0   1   2\n", ".gpl", "a");
  ASSERT_TRUE(gpl);
  EXPECT_EQ(*gpl, (std::vector<Rgb>{{255, 136, 0}, {0, 1, 2}}));
  const auto hex = parse_palette("ff8800\r\n#000102\n\nff8800\n", ".hex", "a");
  ASSERT_TRUE(hex);
  EXPECT_EQ(*hex, *gpl);
  const auto wrong = parse_palette("ff8800\nhello\n", ".hex", "pal.hex");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where.line, 2);
  EXPECT_FALSE(parse_palette("ff8800\n", ".hex", "one"));
  EXPECT_FALSE(parse_palette("GIMP Palette\n1 2 300\n4 5 6\n", ".gpl", "a"));
}

// Any damage gives colours or an error, never a crash.
TEST(Palette, DamagedTexts) {
  Random random(11);
  const std::string good = "GIMP Palette\nName: x\n#\n255 136 0\tOrange\n0 1 2\n9 9 9\n";
  for (int i = 0; i < 2000; ++i) {
    std::string text =
        good.substr(0, static_cast<std::size_t>(random.uniform() * static_cast<double>(good.size() + 1)));
    for (char& c : text) {
      if (random.uniform() < 0.05) c = static_cast<char>(static_cast<unsigned char>(random.uniform() * 256));
    }
    const auto gpl = parse_palette(text, ".gpl", "x");
    const auto hex = parse_palette(text, ".hex", "x");
    EXPECT_TRUE(!gpl || gpl->size() >= 2);
    EXPECT_TRUE(!hex || hex->size() >= 2);
  }
}

}  // namespace
}  // namespace zoe::sprite
