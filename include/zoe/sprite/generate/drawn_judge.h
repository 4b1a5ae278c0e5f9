// SPDX-License-Identifier: MIT
// Part of Zoetrope. Does a frame look drawn by hand or rendered? A logistic regression over a few numbers of a picture
// (flat areas, contrast, outline, colours, symmetry), all taken at one scale and in at most 32 colours. It is fitted
// where it is needed, from collections of drawings and from renders, and says how well it does on collections that it
// has not seen.
//
//   const DrawnJudge judge = DrawnJudge::fit(samples);
//   const DrawnScore score = leave_one_out(samples);       // Each collection judged by the others.
//   const bool drawn = judge.chance(drawn_features(indices, 64, palette)) >= 0.5;
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zoe/paint/clip_file.h"

namespace zoe::sprite {

constexpr std::size_t kDrawnFeatures = 24;
using DrawnFeatures = std::array<double, kDrawnFeatures>;

// indices: [size × size], 0 is transparent, i is palette[i - 1]. Zeros of an empty picture.
DrawnFeatures drawn_features(std::span<const std::uint8_t> indices, int size, std::span<const paint::Color> palette);

struct DrawnSample {
  DrawnFeatures features;
  std::string collection;  // Of renders: any.
  bool drawn = false;
};
// Of hand-drawn clips the reference, of others two frames. collection: of all of them.
std::vector<DrawnSample> drawn_samples(const paint::ClipFile& clips, const std::string& collection, bool drawn);

// Immutable.
class DrawnJudge {
 public:
  // Collections count the same, whatever their number of figures; drawings count as much as renders. Both are there.
  static DrawnJudge fit(std::span<const DrawnSample> samples);
  // That the picture is drawn.
  double chance(const DrawnFeatures& features) const;
  // Its logarithm of odds, less that of the mean render, over the distance of the mean drawing: 0 is as rendered as
  // the renders are, 1 as drawn as the drawings are. Collections differ in it; changes of one figure say more.
  double position(const DrawnFeatures& features) const;

 private:
  double odds(const DrawnFeatures& features) const;

  DrawnFeatures mean_{}, scale_{}, weights_{};
  double bias_ = 0, rendered_ = 0, drawn_ = 1;  // Odds of the mean render and drawing.
};

struct DrawnScore {
  struct Collection {
    std::string name;
    int num_figures = 0;
    double right = 0;  // Share of figures.
    double ahead = 0;  // Share of renders that a figure is more drawn than, mean over figures; 0.5: chance.
  };
  std::vector<Collection> collections;
  double drawn_right = 0, ahead = 0;  // Means over collections.
  double rendered_right = 0;          // Of renders, in five parts each judged by the others.
};
DrawnScore leave_one_out(std::span<const DrawnSample> samples);

}  // namespace zoe::sprite
