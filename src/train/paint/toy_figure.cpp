// SPDX-License-Identifier: MIT
#include "train/paint/toy_figure.h"

#include <array>

#include "zoe/paint/features.h"

namespace zoe::train {

std::vector<std::uint8_t> with_coverage(const std::vector<std::uint8_t>& indices) {
  std::vector<std::uint8_t> pairs;
  for (const std::uint8_t index : indices) {
    pairs.push_back(index);
    pairs.push_back(index > 0 ? paint::kFullCoverage : std::uint8_t{0});
  }
  return pairs;
}

paint::Pose toy_pose(Random& random) {
  paint::Pose pose;
  const auto put = [&](std::size_t joint, float x, float y) {
    pose.points[joint] = {x + random.uniform(-0.03F, 0.03F), y + random.uniform(-0.03F, 0.03F),
                          random.uniform(-0.2F, 0.2F), 1};
  };
  const float x = random.uniform(0.4F, 0.6F);
  put(paint::kHips, x, 0.6F);
  put(paint::kNeck, x, 0.35F);
  put(paint::kHead, x, 0.2F);
  for (const float side : {-1.0F, 1.0F}) {
    const std::size_t arm = side < 0 ? paint::kRightShoulder : paint::kLeftShoulder,
                      leg = side < 0 ? paint::kRightHip : paint::kLeftHip;
    const float reach = random.uniform(0.1F, 0.25F), up = random.uniform(-0.2F, 0.2F);
    put(arm, x + side * 0.08F, 0.38F);
    put(arm + 1, x + side * (0.08F + reach / 2), 0.4F + up / 2);
    put(arm + 2, x + side * (0.08F + reach), 0.42F + up);
    put(leg, x + side * 0.06F, 0.62F);
    put(leg + 1, x + side * reach * 0.6F, 0.75F);
    put(leg + 2, x + side * reach, 0.9F);
  }
  return pose;
}

std::vector<std::uint8_t> draw_toy(const paint::Pose& pose) {
  constexpr std::array<std::uint8_t, paint::kNumLayers> kColorOf{1, 2, 3, 3, 3, 3, 4, 4, 4, 4};
  const std::array<paint::Bone, paint::kNumLayers> bones = paint::bones_of(pose);
  std::vector<std::uint8_t> pixels(kToySize * kToySize);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const float x = (static_cast<float>(i % kToySize) + 0.5F) / kToySize,
                y = (static_cast<float>(i / kToySize) + 0.5F) / kToySize;
    for (std::size_t l = 0; l < paint::kNumLayers; ++l)
      if (paint::distance_to(bones[l], x, y) < (l < 2 ? 0.1F : 0.05F)) pixels[i] = kColorOf[l];
  }
  return pixels;
}

}  // namespace zoe::train
