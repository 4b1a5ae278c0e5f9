// SPDX-License-Identifier: MIT
// Part of Zoetrope. Hand-drawn figures as clips: what judges tell from renders, and a part of what painters train on.
#pragma once

#include <string>
#include <vector>

#include "zoe/paint/clip_file.h"
#include "zoe/paint/painter.h"
#include "zoe/render/picture.h"

namespace zoe::sprite {

// The figures of a picture on a transparent ground: its connected parts, in smooth drawings across gaps of up to 2
// pixels, of at least 10 pixels height and a third of the largest height. At most 256.
std::vector<render::Picture> figures_of_sheet(const render::Picture& sheet);

// A figure on a square canvas, its feet near the lower edge. Small pixel art is repeated, others are resized.
render::Picture on_canvas(const render::Picture& figure, int size_px);

struct PackDrawings {
  int size_px = 64;
  int num_colors = 32;
  // 0: for judges, the figure itself twice. Else for painters: clips of each humanoid whose joints are found, whose
  // reference is the figure bent by a puppet and whose only frame is the figure as drawn.
  int num_bent = 0;
  bool truth = false;  // Of those the pictures as drawn, to evaluate, in place of guesses to train.
  std::uint64_t seed = 0;
  // For `zoe train sprite_video`: as often the same frame, each time with another guess.
  int num_frames = 1;
  const paint::Painter* painter = nullptr;  // Paints the puppets' guesses.
};
// source: names the collection; it is the identity of the clips, so that whole collections are held out.
std::vector<paint::PaintClip> pack_drawings(const render::Picture& sheet, const std::string& source,
                                            const PackDrawings& how);

}  // namespace zoe::sprite
