// SPDX-License-Identifier: MIT
// Part of Zoetrope. One clip of a synthetic collection: body, gait, style, course and ground drawn from a seed and a
// number.
#pragma once

#include "zoe/synth/clip.h"

namespace zoe::synth {

// Choices to draw from; an empty list means all. Clip number i of a seed does not depend on the other clips.
struct DrawOptions {
  std::vector<BodyFamily> families;
  std::vector<Gait> gaits;
  std::vector<Style> styles;
  std::vector<Course> courses;
  std::vector<TerrainKind> terrains{TerrainKind::kFlat};
  std::vector<Names> names;  // Empty: all but kNumbered.
  double seconds = 4;
  double fps = 30;
  bool mesh = true;
  bool one_body = false;  // All clips of a family have one body.
};

// Fails where nothing can be drawn: gaits that no family has, fps out of range, ….
Result<void> check(const DrawOptions& options);

struct DrawnClip {
  Body body;
  Clip clip;
  Names names = Names::kPlain;
};
// Families alternate by `index`. The rest is drawn. Thread-safe.
Result<DrawnClip> draw_clip(const DrawOptions& options, std::uint64_t seed, std::uint64_t index);

}  // namespace zoe::synth
