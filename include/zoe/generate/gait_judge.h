// SPDX-License-Identifier: MIT
// Part of Zoetrope. Whether a body goes as far as its steps carry it, and whether it stands on the ground.
#pragma once

#include <cstdint>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/motion.h"

namespace zoe::generate {

enum class GaitVerdict : std::uint8_t {
  kNone,       // No steps: it stands, flies, lies, or has no legs.
  kCarried,    // Its speed is that of its steps, within a factor of 1.5.
  kOnTheSpot,  // Slower than its steps: a cycle for a treadmill.
  kSlides,     // Faster than its steps.
  kBackwards   // Its raised feet go against its travel: it would moonwalk.
};
const char* to_string(GaitVerdict verdict);

struct GaitFigures {
  GaitVerdict verdict = GaitVerdict::kNone;
  double speed_m_s = 0;       // Mean speed of the body over the ground.
  double step_speed_m_s = 0;  // Mean speed with which low feet go backwards under the body; 0 without steps.
  // Mean over the frames of the lowest foot's height above, and of its depth below, the height that it has where the
  // body stands in its reference pose. The flight of runs and jumps counts in the first.
  double hover_m = 0, sink_m = 0;
};

// Motion in metres, Y up; ground_m: height of the ground. Bodies without feet have a speed only.
GaitFigures judge_gait(const Motion& motion, const SkeletonAnalysis& analysis, double ground_m = 0);

}  // namespace zoe::generate
