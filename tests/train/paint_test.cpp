// SPDX-License-Identifier: MIT
// What painters read: tensors against the loops of zoe::paint.
#include <numeric>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/paint/features.h"
#include "zoe/train/paint_source.h"

#include "train/model_fixture.h"
#include "train/paint/carry.h"

namespace zoe::train {
namespace {

constexpr int kCarrySize = 24;

paint::Pose random_pose(Random& random, bool without_legs) {
  paint::Pose pose;
  for (paint::PosePoint& p : pose.points)
    p = {random.uniform(-0.1F, 1.1F), random.uniform(-0.1F, 1.1F), random.uniform(-0.5F, 0.5F), 1};
  if (without_legs) {
    pose.points[paint::kHips] = {};
    for (std::size_t j = paint::kRightHip; j < paint::kNumJoints; ++j) pose.points[j] = {};
  }
  pose.facing_cos = random.uniform(-1, 1);
  pose.facing_sin = random.uniform(-1, 1);
  return pose;
}

TEST(Carrier, ComputesWhatThePainterReads) {
  Random random(3);
  const Carrier carrier(kCarrySize, at::TensorOptions().dtype(at::kFloat));
  constexpr std::size_t kPixels = kCarrySize * kCarrySize;
  for (int round = 0; round < 12; ++round) {
    const paint::Pose target = random_pose(random, round % 4 == 1), from = random_pose(random, round % 4 == 1);
    std::vector<paint::Color> palette(1 + random.below(paint::kMaxColors));
    for (paint::Color& color : palette)
      for (std::uint8_t& byte : color) byte = static_cast<std::uint8_t>(random.below(256));
    paint::IndexedPicture picture{kCarrySize, std::vector<std::uint8_t>(kPixels)};
    for (std::uint8_t& index : picture.pixels) index = static_cast<std::uint8_t>(random.below(palette.size() + 1));
    const paint::Reference reference(picture, palette, from);
    std::vector<float> features(kPixels * paint::kNumFeatures);
    std::vector<std::uint8_t> carried(kPixels * paint::kNumLayers);
    paint::SoftPicture guess{std::vector<std::uint8_t>(kPixels), std::vector<std::uint8_t>(kPixels)};
    for (std::size_t i = 0; i < kPixels; ++i) {
      guess.pixels[i] = static_cast<std::uint8_t>(random.below(palette.size() + 1));
      guess.coverage[i] = static_cast<std::uint8_t>(guess.pixels[i] == 0 ? 0 : 1 + random.below(paint::kFullCoverage));
    }
    reference.describe(target, guess, features, carried);

    CarryInputs in;
    in.reference = at::empty({1, kPixels}, at::kLong);
    for (std::size_t i = 0; i < kPixels; ++i)
      in.reference[0][static_cast<std::int64_t>(i)] = static_cast<std::int64_t>(picture.pixels[i]);
    in.guess = at::empty({1, kPixels, 2}, at::kLong);
    for (std::size_t i = 0; i < kPixels; ++i) {
      in.guess[0][static_cast<std::int64_t>(i)][0] = static_cast<std::int64_t>(guess.pixels[i]);
      in.guess[0][static_cast<std::int64_t>(i)][1] = static_cast<std::int64_t>(guess.coverage[i]);
    }
    in.palette = at::zeros({1, paint::kMaxColors, 3}, at::kFloat);
    for (std::size_t c = 0; c < palette.size(); ++c)
      for (std::size_t k = 0; k < 3; ++k)
        in.palette[0][static_cast<std::int64_t>(c)][static_cast<std::int64_t>(k)] = static_cast<float>(palette[c][k]);
    in.num_colors = at::full({1}, static_cast<double>(palette.size()), at::kFloat);
    for (const auto& [pose, tensor] : {std::pair{&target, &in.target_pose}, {&from, &in.reference_pose}}) {
      *tensor = at::empty({1, paint::kPoseSize}, at::kFloat);
      paint::write_pose(*pose, std::span<float, paint::kPoseSize>(tensor->data_ptr<float>(), paint::kPoseSize));
    }
    const Carried out = carrier(in);
    const at::Tensor ours =
        at::from_blob(features.data(), {1, kPixels, paint::kNumFeatures}, at::TensorOptions().dtype(at::kFloat));
    // Samples on the border between two pixels may fall to either side.
    const at::Tensor differs = (ours - out.features).abs().amax(2).gt(1e-4);
    EXPECT_LE(differs.to(at::kFloat).mean().item<float>(), 0.01F) << round;
    std::int64_t others = 0;
    const at::Tensor indices = out.indices.transpose(1, 2).contiguous();
    for (std::size_t i = 0; i < carried.size(); ++i)
      others += indices.data_ptr<std::int64_t>()[i] != carried[i] ? 1 : 0;
    EXPECT_LE(others, 10) << round;
    const at::Tensor colors =
        at::tensor(std::vector<float>(reference.color_features().begin(), reference.color_features().end()))
            .view_as(out.colors);
    EXPECT_LE((colors - out.colors).abs().max().item<float>(), 1e-4F) << round;
    for (std::size_t g = 0; g < paint::kNumGuesses; ++g) {
      for (int i = 0; i < static_cast<int>(kPixels); ++i) {
        const int x = i % kCarrySize + paint::kGuessSteps[g].x, y = i / kCarrySize + paint::kGuessSteps[g].y;
        const bool inside = x >= 0 && y >= 0 && x < kCarrySize && y < kCarrySize;
        const auto neighbour = static_cast<std::size_t>(inside ? y * kCarrySize + x : 0);
        ASSERT_EQ(out.guess_indices[0][static_cast<std::int64_t>(g)][i].item<std::int64_t>(),
                  inside ? guess.pixels[neighbour] : 0);
      }
      if (round > 1) break;
    }
    for (std::size_t l = 0; l < paint::kNumLayers; ++l)
      EXPECT_EQ(out.layers[0][static_cast<std::int64_t>(l)].item<bool>(), paint::shared_layers(target, from)[l]);
  }
}

TEST(PaintSource, PacksFourIndicesIntoANumber) {
  std::vector<std::uint8_t> indices(64);
  std::iota(indices.begin(), indices.end(), std::uint8_t{0});
  std::vector<float> packed(16);
  pack_indices(indices, packed);
  for (std::size_t i = 0; i < indices.size(); ++i)
    EXPECT_EQ(static_cast<std::uint32_t>(packed[i / 4]) >> (6 * (i % 4)) & 63, indices[i]);
}

}  // namespace
}  // namespace zoe::train
