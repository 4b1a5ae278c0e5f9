// SPDX-License-Identifier: MIT
// Part of Zoetrope. Packs cels into one picture: MaxRects (Jylänki 2010), best short side first, never turned.
#pragma once

#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/sprite/frame_set.h"

namespace zoe::sprite {

struct SheetOptions {
  int padding_px = 1;  // Transparent pixels between cels, and around the sheet; 0 to 64.
  int extrude_px = 0;  // Copies of each cel's border around it, against bleeding when filtered; 0 to 16.
  bool trim = true;    // False: whole canvases.
  bool share = true;   // Equal cels are stored once.
  bool power_of_two = false;
  int max_size_px = 8192;
};

// Where a frame is on the sheet, and where its rectangle is on the canvas.
struct Placement {
  int x = 0, y = 0, width = 0, height = 0;
  int canvas_x = 0, canvas_y = 0;
  friend bool operator==(const Placement&, const Placement&) = default;
};

struct Sheet {
  render::Picture picture;
  std::vector<Placement> frames;  // One per cel. Empty cels have one transparent pixel.
  int num_stored = 0;             // Different rectangles.
};

// Fails where the cels do not fit into max_size_px each way.
Result<Sheet> pack_sheet(std::span<const Cel* const> cels, int canvas_width, int canvas_height,
                         const SheetOptions& options);

// The body, the shadow or the effects of each frame.
std::vector<const Cel*> body_cels(const FrameSet& set);
std::vector<const Cel*> shadow_cels(const FrameSet& set);
std::vector<const Cel*> effect_cels(const FrameSet& set);

}  // namespace zoe::sprite
