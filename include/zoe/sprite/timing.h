// SPDX-License-Identifier: MIT
// Part of Zoetrope. Timing: few drawings at the extremes of a motion, held as in hand-made game animation.
//
//   clip.exposures = sprite::time_drawings(motion, {.pace = sprite::Pace::kArcade}, false);
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "zoe/motion/motion.h"
#include "zoe/sprite/exposure.h"
#include "zoe/sprite/feel.h"

namespace zoe::sprite {

enum class Pace : unsigned char {
  kSmooth,  // Evenly spaced drawings.
  kArcade,  // As few drawings as keep the extremes; long holds.
  kSnappy,  // More drawings, shorter holds, quick changes.
};
std::optional<Pace> pace_from(std::string_view word);

struct Timing {
  Pace pace = Pace::kSmooth;
  double fps = 12;             // Smooth: drawings per second.
  int num_drawings = 0;        // 0: by the pace.
  int on = 0;                  // Shortest exposure in 24ths of a second: ones, twos, threes; 0: by the pace.
  double hold = -1;            // How much longer still poses are held than in the motion, 0 to 4; below 0: by the pace.
  std::vector<double> pins_s;  // Moments that are drawn in any case.
  Feel feel;
};

// Drawings are chosen by dynamic programming: the poses between two drawings are near the line between them. The first
// pose, the last of a clip that does not repeat, and the poses before and after its fastest moment (wind-up and strike)
// are always drawn. Durations add up to the length of the motion, to the nearest millisecond.
std::vector<Exposure> time_drawings(const Motion& motion, const Timing& timing, bool loop);

// The part of the motion's extent that the drawings have: mean over the axes of joints that move by more than 5 % of
// the body's size, 0 to 1.
double kept_extremes(const Motion& motion, std::span<const Exposure> exposures);

}  // namespace zoe::sprite
