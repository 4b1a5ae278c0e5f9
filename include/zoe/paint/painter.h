// SPDX-License-Identifier: MIT
// Part of Zoetrope. Paints a character in a new pose: a network chooses for each pixel which bone carries its colour,
// or a colour of the character's palette, or nothing. No colour but those of the reference can appear.
//
//   const Painter painter = Painter::load("models/painter/model.safetensors").value();
//   PainterState state = painter.make_state();
//   painter.paint(reference, pose, state, pixels);   // Indices into the reference's palette.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/nn/network.h"
#include "zoe/paint/features.h"

namespace zoe::paint {

// Columns of the network's output `mix`: a score for each layer, for the palette and for nothing; then the query for
// colours.
constexpr std::size_t kPaletteScore = kNumLayers, kNothingScore = kNumLayers + 1, kNumScores = kNumLayers + 2;

// Memory of one caller.
struct PainterState {
  nn::NetworkState network;
  std::vector<float> features, mix, keys;
  std::vector<std::uint8_t> carried;
};

class Painter {
 public:
  static Result<Painter> load(const std::filesystem::path& path);
  // Refuses a network with other inputs and outputs.
  static Result<Painter> create(nn::NetworkPtr network);

  int size() const { return size_; }  // Of pictures.
  const nn::Network& network() const { return *network_; }
  PainterState make_state() const;
  // pixels: [size × size]. The reference has the painter's size. Never allocates.
  void paint(const Reference& reference, const Pose& target, PainterState& state, std::span<std::uint8_t> pixels) const;

 private:
  nn::NetworkPtr network_;
  int size_ = 0;
  std::size_t query_ = 0;  // Width of queries and keys.
};

// The index of a pixel: 0 where nothing is more probable than not, else a probable colour near the mean of all.
// mix_row: a row of `mix`; keys [kMaxColors, query].
std::uint8_t choose_color(std::span<const float> mix_row, std::span<const float> keys, std::span<const Color> palette,
                          std::span<const std::uint8_t> carried, std::span<const bool> layers);

}  // namespace zoe::paint
