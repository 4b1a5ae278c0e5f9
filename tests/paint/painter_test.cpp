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

SoftPicture empty_picture() {
  return {std::vector<std::uint8_t>(kSize * kSize), std::vector<std::uint8_t>(kSize * kSize)};
}

// Takes one pixel of the guess and nothing else.
nn::NetworkPtr trusting(std::size_t guess) {
  nn::GraphBuilder b;
  const int x = b.input("features", static_cast<int>(kNumFeatures), kSize * kSize);
  const int colors = b.input("colors", static_cast<int>(kColorFeatures), static_cast<int>(kMaxColors));
  constexpr std::size_t kOut = kNumScores + kQuery;
  std::vector<float> bias(kOut, -50.0F);
  bias[kGuessScore + guess] = 0;
  b.output("mix", b.linear(x, "mix", {kOut, kNumFeatures}, std::vector<float>(kOut * kNumFeatures), bias));
  b.output("keys", b.linear(colors, "keys", {kQuery, kColorFeatures}, std::vector<float>(kQuery * kColorFeatures),
                            std::vector<float>(kQuery)));
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
  const SoftPicture guess = empty_picture();
  SoftPicture painted = empty_picture();
  Pose moved = reference.pose();
  moved.points[kHips].x += 2.0F / kSize;
  moved.points[kNeck].x += 2.0F / kSize;
  painter.paint(reference, moved, guess, state, painted);
  for (std::size_t y = 0; y < kSize; ++y)
    for (std::size_t x = 2; x < kSize; ++x)
      EXPECT_EQ(painted.pixels[y * kSize + x], reference.picture().pixels[y * kSize + x - 2]) << x << "," << y;
  const zoe::test::AllocationMeter meter;
  painter.paint(reference, moved, guess, state, painted);
  EXPECT_EQ(meter.allocations(), 0U);
}

TEST(Painter, TakesColoursOfThePaletteByTheirKeys) {
  const Painter painter = Painter::create(hand_made(0, -50, 20)).value();
  PainterState state = painter.make_state();
  const Reference reference = square_of_two_colors();
  SoftPicture painted = empty_picture();
  painter.paint(reference, reference.pose(), empty_picture(), state, painted);
  for (const std::uint8_t index : painted.pixels) EXPECT_EQ(index, 2);  // The redder one.
}

// A network that trusts only one pixel of the guess: the frame is the guess, moved by that step, edges and all.
TEST(Painter, TakesTheGuessAndItsNeighbours) {
  const Reference reference = square_of_two_colors();
  SoftPicture guess = empty_picture();
  for (std::size_t i = 0; i < guess.pixels.size(); i += 3) {
    guess.pixels[i] = static_cast<std::uint8_t>(1 + i % 2);
    guess.coverage[i] = static_cast<std::uint8_t>(i % 5 == 0 ? 32 : kFullCoverage);
  }
  for (std::size_t g = 0; g < kNumGuesses; ++g) {
    const Painter painter = Painter::create(trusting(g)).value();
    PainterState state = painter.make_state();
    SoftPicture painted = empty_picture();
    painter.paint(reference, reference.pose(), guess, state, painted);
    for (int i = 0; i < kSize * kSize; ++i) {
      const int gx = i % kSize + kGuessSteps[g].x, gy = i / kSize + kGuessSteps[g].y;
      const bool inside = gx >= 0 && gy >= 0 && gx < kSize && gy < kSize;
      const auto from = static_cast<std::size_t>(inside ? gy * kSize + gx : 0);
      EXPECT_EQ(painted.pixels[static_cast<std::size_t>(i)], inside ? guess.pixels[from] : 0) << g << ": " << i;
      EXPECT_NEAR(painted.coverage[static_cast<std::size_t>(i)], inside ? guess.coverage[from] : 0, 1)
          << g << ": " << i;
    }
  }
}

// A doubtful surface is no haze: its inside is solid, what is far from it is empty, its rim is soft.
TEST(Painter, OnlyEdgesAreSoft) {
  const Painter painter = Painter::create(trusting(0)).value();
  PainterState state = painter.make_state();
  SoftPicture guess{std::vector<std::uint8_t>(kSize * kSize, std::uint8_t{1}),
                    std::vector<std::uint8_t>(kSize * kSize, std::uint8_t{20})};
  for (std::size_t y = 4; y < 12; ++y)
    for (std::size_t x = 4; x < 12; ++x) guess.coverage[y * kSize + x] = 40;
  SoftPicture painted = empty_picture();
  const Reference reference = square_of_two_colors();
  painter.paint(reference, reference.pose(), guess, state, painted);
  const auto coverage = [&](std::size_t x, std::size_t y) { return int{painted.coverage[y * kSize + x]}; };
  EXPECT_EQ(coverage(7, 7), kFullCoverage);
  EXPECT_EQ(coverage(1, 7), 0);
  EXPECT_EQ(painted.pixels[7 * kSize + 1], 0);
  EXPECT_NEAR(coverage(4, 7), 41, 3);
  EXPECT_NEAR(coverage(3, 7), 18, 3);
  EXPECT_EQ(painted.pixels[7 * kSize + 3], 1);
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
  const Candidates candidates{carried, layers};
  EXPECT_LT(choose_color(row, keys, palette, candidates).coverage, 0.5F);
  layers[3] = true;
  EXPECT_EQ(choose_color(row, keys, palette, candidates).index, 1);
  EXPECT_GT(choose_color(row, keys, palette, candidates).coverage, 0.9F);
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
  const Candidates candidates{carried, layers};
  EXPECT_EQ(choose_color(row, keys, palette, candidates).index, 2);
  row[0] = 5;  // No doubt.
  EXPECT_EQ(choose_color(row, keys, palette, candidates).index, 1);
}

TEST(Painter, RefusesOtherNetworks) {
  nn::GraphBuilder b;
  b.output("y", b.activation(b.input("x", 3), nn::Activation::kTanh));
  const auto painter = Painter::create(nn::Network::compile(std::move(b).build().value()).value());
  ASSERT_FALSE(painter);
  EXPECT_NE(painter.error().message.find("zoe train sprite"), std::string::npos);
}

// Two colours of nearly the same probability: the one of the frame before stays, one that has become improbable goes.
TEST(ChooseColor, KeepsTheColourOfTheFrameBeforeWhileItIsProbable) {
  const std::vector<Color> palette{{10, 10, 10}, {250, 250, 250}};
  const std::vector<float> keys(kMaxColors * 2);
  const std::array<bool, kNumLayers> layers{true, true};
  const std::array<std::uint8_t, kNumLayers> carried{1, 2};
  std::vector<float> row(kNumScores + 2, -50.0F);
  Candidates candidates{.carried = carried, .layers = layers};
  row[0] = 0.2F;
  row[1] = 0;
  EXPECT_EQ(choose_color(row, keys, palette, candidates).index, 1);
  candidates.before = 2;
  EXPECT_EQ(choose_color(row, keys, palette, candidates).index, 2);
  row[0] = 2;
  EXPECT_EQ(choose_color(row, keys, palette, candidates).index, 1);
}

// The score of nothing is the facing: a painter that was trained without it does not see it.
TEST(Painter, IgnoresDepthAndFacingWhereItWasTrainedWithout) {
  for (const bool flat : {false, true}) {
    nn::GraphBuilder b;
    const int x = b.input("features", static_cast<int>(kNumFeatures), kSize * kSize);
    const int colors = b.input("colors", static_cast<int>(kColorFeatures), static_cast<int>(kMaxColors));
    constexpr std::size_t kOut = kNumScores + kQuery;
    std::vector<float> weight(kOut * kNumFeatures), bias(kOut, -50.0F);
    weight[kNothingScore * kNumFeatures + kNumFeatures - 4] = 20;
    bias[kNothingScore] = 0;
    bias[kGuessScore] = 10;
    b.output("mix", b.linear(x, "mix", {kOut, kNumFeatures}, weight, bias));
    b.output("keys", b.linear(colors, "keys", {kQuery, kColorFeatures}, std::vector<float>(kQuery * kColorFeatures),
                              std::vector<float>(kQuery)));
    b.set_metadata(kPoseKey, flat ? kPoseFlat : kPose3d);
    const Painter painter = Painter::create(nn::Network::compile(std::move(b).build().value()).value()).value();
    EXPECT_EQ(painter.flat_poses(), flat);
    PainterState state = painter.make_state();
    const Reference reference = square_of_two_colors();
    SoftPicture painted = empty_picture();
    const SoftPicture guess{std::vector<std::uint8_t>(kSize * kSize, std::uint8_t{1}),
                            std::vector<std::uint8_t>(kSize * kSize, kFullCoverage)};
    Pose facing = reference.pose();
    facing.facing_cos = 1;
    painter.paint(reference, facing, guess, state, painted);
    EXPECT_EQ(painted.pixels[100], flat ? 1 : 0);
  }
}

}  // namespace
}  // namespace zoe::paint
