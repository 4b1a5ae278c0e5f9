// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A painter whose result is known, and small packs of clips.
#pragma once

#include "zoe/nn/graph_builder.h"
#include "zoe/paint/painter.h"
#include "zoe/sprite/generate/pack.h"

namespace zoe::sprite {

// Each layer's score grows with the nearness of its bone and with the ownership of what it carries: a cut-out figure.
inline paint::Painter cut_out_painter(int size) {
  nn::GraphBuilder b;
  constexpr std::size_t kQuery = 1, kOut = paint::kNumScores + kQuery;
  const int x = b.input("features", static_cast<int>(paint::kNumFeatures), size * size);
  const int colors = b.input("colors", static_cast<int>(paint::kColorFeatures), static_cast<int>(paint::kMaxColors));
  std::vector<float> weight(kOut * paint::kNumFeatures), bias(kOut);
  for (std::size_t l = 0; l < paint::kNumLayers; ++l) {
    float* row = weight.data() + l * paint::kNumFeatures + l * paint::kLayerFeatures;
    row[3] = 4;
    row[4] = 12;
    row[5] = 12;
  }
  for (std::size_t s = paint::kGuessScore; s <= paint::kPaletteScore; ++s) bias[s] = -50;
  bias[paint::kNothingScore] = 12;
  b.output("mix", b.linear(x, "mix", {kOut, paint::kNumFeatures}, weight, bias));
  b.output("keys", b.linear(colors, "keys", {kQuery, paint::kColorFeatures}, std::vector<float>(paint::kColorFeatures),
                            std::vector<float>(kQuery)));
  return paint::Painter::create(nn::Network::compile(std::move(b).build().value()).value()).value();
}

inline PackOptions small_pack(const std::filesystem::path& folder) {
  PackOptions options;
  options.dataset.folder = folder;
  options.dataset.num_identities = 6;
  options.dataset.num_clips = 6;
  options.dataset.num_frames = 4;
  options.dataset.size_px = 32;
  options.dataset.actions = {"walk", "wave"};
  options.content = PackContent::kTruth;
  return options;
}

}  // namespace zoe::sprite
