// SPDX-License-Identifier: MIT
// Part of Zoetrope. The frames of a sprite: equal canvases with one pivot, and the animations they form.
#pragma once

#include <string>
#include <vector>

#include "zoe/render/picture.h"
#include "zoe/sprite/look.h"
#include "zoe/sprite/maps.h"

namespace zoe::sprite {

// The part of a canvas that is not transparent.
struct Cel {
  int x = 0, y = 0;         // Of its top left corner on the canvas.
  render::Picture picture;  // Without width where the canvas is empty.

  bool empty() const { return picture.width == 0; }
};

// Cuts off transparent borders.
Cel trim(const render::Picture& canvas);
// The whole canvas again.
render::Picture untrim(const Cel& cel, int width, int height);

struct Frame {
  Cel body, shadow;
  Cel effect;  // Slash arcs; over the body.
  int duration_ms = 100;
  // Travel of the root since the first frame of its animation that was taken out of the picture, pixels to the right
  // and down.
  float root_x = 0, root_y = 0;
  FrameMaps maps;  // Of the kinds in Request::maps.
};

// What happens in a frame: "hit", "landing" … (events.h).
struct FrameEvent {
  std::string type;
  int frame = 0;  // From the animation's first.
};

// One clip in one direction: frames [first, first + count).
struct Animation {
  std::string name;  // "walk_e".
  std::string clip, direction;
  int first = 0, count = 0;
  bool loop = false;
  std::vector<FrameEvent> events;
};

struct FrameSet {
  int width = 0, height = 0;     // Of every canvas.
  int pivot_x = 0, pivot_y = 0;  // The ground below the body: a corner between pixels, the same in every frame.
  float pixels_per_metre = 0;
  std::vector<Frame> frames;
  std::vector<Animation> animations;
  // Directions that a game displays by flipping the frames of another animation, which they point to.
  std::vector<Animation> mirrored;
  std::vector<Rgb> palette;  // Styles with one.
  bool has_shadow = false, has_effects = false;
  MapSet maps;
};

}  // namespace zoe::sprite
