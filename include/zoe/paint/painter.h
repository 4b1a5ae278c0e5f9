// SPDX-License-Identifier: MIT
// Part of Zoetrope. Paints a character in a new pose: a network chooses for each pixel whether it displays a guess of
// the frame (a puppet's, or a neighbour of that pixel), what a bone carries there, a colour of the character's palette,
// or nothing. No colour but those of the reference can appear.
//
//   const Painter painter = Painter::load("models/painter/model.safetensors").value();
//   PainterState state = painter.make_state();
//   painter.paint(reference, pose, guess, state, picture);   // Indices into the reference's palette, and coverage.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/nn/network.h"
#include "zoe/paint/features.h"

namespace zoe::paint {

// Metadata of a network: which poses it was trained with.
constexpr const char *kPoseKey = "pose", *kPose3d = "depth and facing", *kPoseFlat = "points only";

// Columns of the network's output `mix`: a score for each layer, for each pixel of the guess, for the palette and for
// nothing; then the query for colours.
constexpr std::size_t kGuessScore = kNumLayers, kPaletteScore = kGuessScore + kNumGuesses,
                      kNothingScore = kPaletteScore + 1, kNumScores = kNothingScore + 1;

// What the network says about one frame.
struct PainterScores {
  std::vector<float> mix, keys;
  std::vector<std::uint8_t> carried;
  std::array<bool, kNumLayers> layers{};
};

// Memory of one caller.
struct PainterState {
  nn::NetworkState network;
  std::vector<float> features;
  std::vector<std::uint8_t> drawn;
  PainterScores scores;
};

class Painter {
 public:
  static Result<Painter> load(const std::filesystem::path& path);
  // Refuses a network with other inputs and outputs.
  static Result<Painter> create(nn::NetworkPtr network);

  int size() const { return size_; }  // Of pictures.
  const nn::Network& network() const { return *network_; }
  // It was trained on points without depth and facing, as OpenPose draws them: it ignores those of poses.
  bool flat_poses() const { return flat_poses_; }
  PainterState make_state() const;
  // Reference, guess and picture have the painter's size; a pixel is of the figure where its coverage is at least half.
  // Only edges are soft: pixels whose neighbours are all of the figure, or all not, are too. Never allocates.
  // before: the painted frame before, or null. Where its colour is still probable it stays, so that doubtful pixels do
  // not flicker.
  void paint(const Reference& reference, const Pose& target, const SoftPicture& guess, PainterState& state,
             SoftPicture& picture, const SoftPicture* before = nullptr) const;
  // paint() in two parts: the network, which needs no other frame, then the choice, which is cheap.
  void score(const Reference& reference, const Pose& target, const SoftPicture& guess, PainterState& state,
             PainterScores& scores) const;
  void choose(const Reference& reference, const SoftPicture& guess, const PainterScores& scores, PainterState& state,
              SoftPicture& picture, const SoftPicture* before) const;
  PainterScores make_scores() const;

 private:
  nn::NetworkPtr network_;
  int size_ = 0;
  bool flat_poses_ = false;
  std::size_t query_ = 0;  // Width of queries and keys.
};

// Candidates of a pixel.
struct Candidates {
  std::span<const std::uint8_t> carried;             // [kNumLayers] indices.
  std::span<const bool> layers;                      // [kNumLayers] which of them both poses have.
  std::array<std::uint8_t, kNumGuesses> index{};     // Of the guess.
  std::array<std::uint8_t, kNumGuesses> coverage{};  // 0 to kFullCoverage.
  std::uint8_t before = 0;                           // Index in the frame before; 0: none.
};
struct PaintedPixel {
  std::uint8_t index = 1;  // Of a probable colour near the mean of all.
  float coverage = 0;      // Probability of the figure.
};
// mix_row: a row of `mix`; keys [kMaxColors, query].
PaintedPixel choose_color(std::span<const float> mix_row, std::span<const float> keys, std::span<const Color> palette,
                          const Candidates& candidates);

}  // namespace zoe::paint
