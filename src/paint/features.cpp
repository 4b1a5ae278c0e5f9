// SPDX-License-Identifier: MIT
#include "zoe/paint/features.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/check.h"

namespace zoe::paint {
namespace {

float channel(std::uint8_t value) { return static_cast<float>(value) / 127.5F - 1; }

}  // namespace

std::array<bool, kNumLayers> shared_layers(const Pose& target, const Pose& reference) {
  const std::array<Bone, kNumLayers> a = bones_of(target), b = bones_of(reference);
  std::array<bool, kNumLayers> both{};
  for (std::size_t l = 0; l < kNumLayers; ++l) both[l] = a[l].known && b[l].known;
  return both;
}

void harden(SoftPicture& picture) {
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    const bool drawn = 2 * picture.coverage[i] >= kFullCoverage;
    if (!drawn) picture.pixels[i] = 0;
    picture.coverage[i] = drawn ? kFullCoverage : 0;
  }
}

Reference::Reference(IndexedPicture picture, std::vector<Color> palette, const Pose& pose)
    : picture_(std::move(picture)), palette_(std::move(palette)), pose_(pose), bones_(bones_of(pose)) {
  const auto size = static_cast<std::size_t>(picture_.size);
  ZOE_CHECK(picture_.pixels.size() == size * size, "a square picture");
  ZOE_CHECK(palette_.size() <= kMaxColors, "few colours");
  owners_.assign(num_pixels() * kNumLayers, 0);
  color_features_.assign(kMaxColors * kColorFeatures, 0);
  std::vector<float> counts(kMaxColors, 0);
  float drawn = 0;
  for (std::size_t i = 0; i < num_pixels(); ++i) {
    const float x = (static_cast<float>(i % size) + 0.5F) / static_cast<float>(size),
                y = (static_cast<float>(i / size) + 0.5F) / static_cast<float>(size);
    float* owner = owners_.data() + i * kNumLayers;
    float nearest = 1e9F;
    for (std::size_t l = 0; l < kNumLayers; ++l) {
      if (!bones_[l].known) continue;
      owner[l] = distance_to(bones_[l], x, y);
      nearest = std::min(nearest, owner[l]);
    }
    float sum = 1e-6F;
    for (std::size_t l = 0; l < kNumLayers; ++l) {
      owner[l] = bones_[l].known ? std::exp((nearest - owner[l]) / kOwnerRange) : 0;
      sum += owner[l];
    }
    const std::size_t index = picture_.pixels[i];
    if (index == 0) continue;
    ZOE_CHECK(index <= palette_.size(), "an index beyond the palette");
    ++drawn;
    ++counts[index - 1];
    float* color = color_features_.data() + (index - 1) * kColorFeatures;
    for (std::size_t l = 0; l < kNumLayers; ++l) color[4 + l] += owner[l] / sum;
  }
  for (std::size_t c = 0; c < palette_.size(); ++c) {
    float* color = color_features_.data() + c * kColorFeatures;
    for (std::size_t k = 0; k < 3; ++k) color[k] = channel(palette_[c][k]);
    color[3] = std::sqrt(counts[c] / std::max(drawn, 1.0F));
    for (std::size_t l = 0; l < kNumLayers; ++l) color[4 + l] /= std::max(counts[c], 1.0F);
  }
}

void Reference::describe(const Pose& target, const SoftPicture& guess, std::span<float> features,
                         std::span<std::uint8_t> carried) const {
  ZOE_CHECK(features.size() == num_pixels() * kNumFeatures && carried.size() == num_pixels() * kNumLayers,
            "memory for every pixel");
  ZOE_CHECK(guess.pixels.size() == num_pixels() && guess.coverage.size() == num_pixels(),
            "a guess of the reference's size");
  const std::array<Bone, kNumLayers> bones = bones_of(target);
  std::array<BoneWarp, kNumLayers> warps;
  for (std::size_t l = 0; l < kNumLayers; ++l) warps[l] = warp_between(bones[l], bones_[l], l < 2);
  const auto size = static_cast<std::size_t>(picture_.size);
  const auto pixels_per_unit = static_cast<float>(size);
  const auto paint = [&](std::size_t index, float* out) {
    for (std::size_t k = 0; k < 3; ++k) out[k] = index == 0 ? 0 : channel(palette_[index - 1][k]);
    out[3] = index == 0 ? 0.0F : 1.0F;
  };
  for (std::size_t i = 0; i < num_pixels(); ++i) {
    const float x = (static_cast<float>(i % size) + 0.5F) / pixels_per_unit,
                y = (static_cast<float>(i / size) + 0.5F) / pixels_per_unit;
    float* out = features.data() + i * kNumFeatures;
    std::uint8_t* indices = carried.data() + i * kNumLayers;
    for (std::size_t l = 0; l < kNumLayers; ++l, out += kLayerFeatures) {
      indices[l] = 0;
      std::fill(out, out + kLayerFeatures, 0.0F);
      if (!bones[l].known || !bones_[l].known) continue;
      const BoneWarp& w = warps[l];
      const float column = std::floor((w.xx * x + w.xy * y + w.x0) * pixels_per_unit),
                  row = std::floor((w.yx * x + w.yy * y + w.y0) * pixels_per_unit);
      if (column >= 0 && row >= 0 && column < pixels_per_unit && row < pixels_per_unit) {
        const std::size_t from = static_cast<std::size_t>(row) * size + static_cast<std::size_t>(column);
        indices[l] = picture_.pixels[from];
        paint(indices[l], out);
        out[5] = owners_[from * kNumLayers + l];
      }
      out[4] = std::exp(-distance_to(bones[l], x, y) / kHeatRange);
      out[6] = depth_near(bones[l], x, y) * out[4];
    }
    paint(guess.pixels[i], out);
    out[3] = static_cast<float>(guess.coverage[i]) / static_cast<float>(kFullCoverage);
    out += kGuessFeatures;
    paint(picture_.pixels[i], out);
    out[4] = target.facing_cos;
    out[5] = target.facing_sin;
    out[6] = pose_.facing_cos;
    out[7] = pose_.facing_sin;
  }
}

}  // namespace zoe::paint
