// SPDX-License-Identifier: MIT
#include "zoe/paint/painter.h"

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

#include "support/allocation.h"

namespace zoe::paint {
namespace {

constexpr int kSize = 16;
constexpr int kQuery = 2;

// A network by hand: the score of the trunk is the alpha it carries times `trunk`, that of nothing is `nothing`, that
// of the palette is `palette`; the query is (1, 0), keys are red and green.
nn::NetworkPtr hand_made(float trunk, float nothing, float palette) {
  nn::GraphBuilder b;
  const int x = b.input("features", static_cast<int>(kNumFeatures), kSize * kSize);
  const int colors = b.input("colors", static_cast<int>(kColorFeatures), static_cast<int>(kMaxColors));
  constexpr std::size_t kOut = kNumScores + kQuery;
  std::vector<float> weight(kOut * kNumFeatures), bias(kOut, -50.0F), key(kQuery * kColorFeatures);
  weight[0 * kNumFeatures + 3] = trunk;
  bias[0] = 0;
  bias[kPaletteScore] = palette;
  bias[kNothingScore] = nothing;
  bias[kNumScores] = 10;
  bias[kNumScores + 1] = 0;
  key[0] = 1;
  key[kColorFeatures + 1] = 1;
  b.output("mix", b.linear(x, "mix", {kOut, kNumFeatures}, weight, bias));
  b.output("keys", b.linear(colors, "keys", {kQuery, kColorFeatures}, key, std::vector<float>(kQuery)));
  return nn::Network::compile(std::move(b).build().value()).value();
}

Reference square_of_two_colors() {
  IndexedPicture picture{kSize, std::vector<std::uint8_t>(kSize * kSize)};
  for (std::size_t y = 4; y < 12; ++y)
    for (std::size_t x = 4; x < 12; ++x) picture.pixels[y * kSize + x] = x < 8 ? 1 : 2;
  Pose pose;
  pose.points[kHips] = {0.5F, 0.7F, 0, 1};
  pose.points[kNeck] = {0.5F, 0.3F, 0, 1};
  return {picture, {{0, 0, 200}, {250, 0, 0}}, pose};
}

TEST(Painter, PaintsWhatTheTrunkCarries) {
  const Painter painter = Painter::create(hand_made(20, 5, -50)).value();
  EXPECT_EQ(painter.size(), kSize);
  PainterState state = painter.make_state();
  const Reference reference = square_of_two_colors();
  std::vector<std::uint8_t> pixels(kSize * kSize);
  Pose moved = reference.pose();
  moved.points[kHips].x += 2.0F / kSize;
  moved.points[kNeck].x += 2.0F / kSize;
  painter.paint(reference, moved, state, pixels);
  for (std::size_t y = 0; y < kSize; ++y)
    for (std::size_t x = 2; x < kSize; ++x)
      EXPECT_EQ(pixels[y * kSize + x], reference.picture().pixels[y * kSize + x - 2]) << x << "," << y;
  const zoe::test::AllocationMeter meter;
  painter.paint(reference, moved, state, pixels);
  EXPECT_EQ(meter.allocations(), 0U);
}

TEST(Painter, TakesColoursOfThePaletteByTheirKeys) {
  const Painter painter = Painter::create(hand_made(0, -50, 20)).value();
  PainterState state = painter.make_state();
  const Reference reference = square_of_two_colors();
  std::vector<std::uint8_t> pixels(kSize * kSize);
  painter.paint(reference, reference.pose(), state, pixels);
  for (const std::uint8_t index : pixels) EXPECT_EQ(index, 2);  // The redder one.
}

TEST(Painter, AbsentLayersAreNeverChosen) {
  std::array<float, kNumScores + kQuery> row{};
  row[3] = 100;
  row[kNothingScore] = 1;
  const std::vector<float> keys(kMaxColors * kQuery);
  std::array<std::uint8_t, kNumLayers> carried{};
  carried[3] = 1;
  std::array<bool, kNumLayers> layers{};
  const std::vector<Color> palette{{0, 0, 0}, {255, 255, 255}};
  EXPECT_EQ(choose_color(row, keys, palette, carried, layers), 0);
  layers[3] = true;
  EXPECT_EQ(choose_color(row, keys, palette, carried, layers), 1);
}

TEST(Painter, DoubtfulPixelsTakeTheColourBetween) {
  std::array<float, kNumScores + kQuery> row{};
  for (std::size_t i = 3; i < kNumScores; ++i) row[i] = -50;
  row[0] = row[2] = 1;
  row[1] = 0.9F;
  const std::vector<float> keys(kMaxColors * kQuery);
  std::array<std::uint8_t, kNumLayers> carried{1, 2, 3};
  std::array<bool, kNumLayers> layers{};
  layers.fill(true);
  const std::vector<Color> palette{{0, 0, 0}, {120, 120, 120}, {255, 255, 255}};
  EXPECT_EQ(choose_color(row, keys, palette, carried, layers), 2);
  row[0] = 5;  // No doubt.
  EXPECT_EQ(choose_color(row, keys, palette, carried, layers), 1);
}

TEST(Painter, RefusesOtherNetworks) {
  nn::GraphBuilder b;
  b.output("y", b.activation(b.input("x", 3), nn::Activation::kTanh));
  const auto painter = Painter::create(nn::Network::compile(std::move(b).build().value()).value());
  ASSERT_FALSE(painter);
  EXPECT_NE(painter.error().message.find("zoe train sprite"), std::string::npos);
}

}  // namespace
}  // namespace zoe::paint
