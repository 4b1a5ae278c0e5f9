// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a painter network reads: a guess of the frame (a puppet's), the reference picture carried
// along by every bone, and where the bones are. The trainer computes the same with tensors (a test compares).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "zoe/paint/pose.h"

namespace zoe::paint {

constexpr std::size_t kMaxColors = 32;
// Of a layer: carried red, green, blue (-1 to 1) and alpha; heat of the target bone, ownership of the carried pixel by
// the bone, depth times heat.
constexpr std::size_t kLayerFeatures = 7;
// Of the guess at the same position: red, green, blue, coverage (0 to 1).
constexpr std::size_t kGuessFeatures = 4;
// All layers; the guess; the reference's pixel at the same position; facing of target and reference.
constexpr std::size_t kNumFeatures = kLayerFeatures * kNumLayers + kGuessFeatures + 4 + 4;
// Of a colour: red, green, blue, root of its share of the figure, and where it is: mean ownership of its pixels.
constexpr std::size_t kColorFeatures = 4 + kNumLayers;

// A picture of few colours. Index 0 is transparent, i is palette[i - 1].
struct IndexedPicture {
  int size = 64;  // Width and height.
  std::vector<std::uint8_t> pixels;
};
using Color = std::array<std::uint8_t, 3>;

// A picture of few colours with soft edges.
constexpr std::uint8_t kFullCoverage = 63;  // Six bits: samples of the trainer hold four such numbers in a float.
struct SoftPicture {
  std::vector<std::uint8_t> pixels;    // Indices; 0 only where coverage is 0.
  std::vector<std::uint8_t> coverage;  // 0 to kFullCoverage.
  bool operator==(const SoftPicture&) const = default;
};
// For pictures without soft edges: index 0 where less than half is covered.
void harden(SoftPicture& picture);

// Pixels of the guess that a painter may take, as steps from its own: itself and its four neighbours.
struct PixelStep {
  int x, y;
};
constexpr std::size_t kNumGuesses = 5;
constexpr std::array<PixelStep, kNumGuesses> kGuessSteps{{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

// The character: its picture, colours and pose, and what follows from them.
class Reference {
 public:
  // At most kMaxColors colours; indices within the palette.
  Reference(IndexedPicture picture, std::vector<Color> palette, const Pose& pose);

  int size() const { return picture_.size; }
  std::size_t num_pixels() const { return picture_.pixels.size(); }
  const IndexedPicture& picture() const { return picture_; }
  const std::vector<Color>& palette() const { return palette_; }
  const Pose& pose() const { return pose_; }

  // [kMaxColors, kColorFeatures]; zeros for colours that are not there.
  std::span<const float> color_features() const { return color_features_; }
  // features [pixels, kNumFeatures]; carried [pixels, kNumLayers]: the index that each layer carries there.
  // Layers that target or reference lack carry 0. The guess has the reference's size and palette. Never allocates.
  void describe(const Pose& target, const SoftPicture& guess, std::span<float> features,
                std::span<std::uint8_t> carried) const;

 private:
  IndexedPicture picture_;
  std::vector<Color> palette_;
  Pose pose_;
  std::array<Bone, kNumLayers> bones_;
  std::vector<float> owners_;  // [pixels, kNumLayers]
  std::vector<float> color_features_;
};

// Layers that both poses have.
std::array<bool, kNumLayers> shared_layers(const Pose& target, const Pose& reference);

}  // namespace zoe::paint
