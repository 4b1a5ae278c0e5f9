// SPDX-License-Identifier: MIT
// Surfaces to colours in a style. Patterns lie on the surfaces (hatching, pigment) or on the paper: neither flickers
// while a body is still, and strokes move with the body that carries them.
#pragma once

#include "render/software/light.h"

namespace zoe::render {

class Painter {
 public:
  // background: sky and ground are drawn; else they are transparent.
  Painter(const FrameView& view, const SurfaceLight& light, const SampleBuffer& surfaces, bool background);

  // Screen values of the colour of a sample, alpha multiplied in.
  Vec4 color(int x, int y) const;

 private:
  // The surface beside a sample that is in front of it by more than its own slope explains; nullptr: none.
  const SurfaceSample* in_front(int x, int y, float reach) const;
  // The fraction of the surroundings that belongs to another area: 0 inside, 0.5 at a straight border.
  float other_area(int x, int y, float reach) const;
  // True at the border of two colours of a body.
  bool at_color_edge(int x, int y, float reach) const;
  Vec3 backdrop(int x, int y) const;
  Vec4 plain(int x, int y) const;
  Vec4 toon(int x, int y) const;
  Vec4 ink(int x, int y) const;
  Vec4 watercolor(int x, int y) const;
  float paper(int x, int y) const;

  const FrameView& view_;
  const SurfaceLight& light_;
  const SampleBuffer& surfaces_;
  bool background_;
  float unit_;  // Samples of one pixel in a picture of 540 rows.
};

}  // namespace zoe::render
