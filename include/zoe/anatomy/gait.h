// SPDX-License-Identifier: MIT
// Part of Zoetrope. How a body steps: when in the cycle each foot stands, for how long, and what
// that is called.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"

namespace zoe {

enum class GaitKind : std::uint8_t {
  kNone,    // No cycle.
  kWalk,    // Two legs: half a cycle apart, a foot always down. Four: one after the other.
  kRun,     // Two legs: half a cycle apart, with flight.
  kHop,     // Two legs together.
  kTrot,    // Diagonal legs together.
  kPace,    // Legs of one side together.
  kGallop,  // Hind legs shortly after each other, then the front ones.
  kBound,   // Hind legs together, then the front ones.
  kOther
};
const char* to_string(GaitKind kind);

struct FootTiming {
  int foot = kNoJoint;
  double lag = 0;         // Cycles, [0, 1): middle of its stance behind that of the left hind foot (of two
                          // legs: the left one).
  double duty = 0;        // Share of the time that it touches.
  double confidence = 0;  // 0 to 1: how steady the lag is, times how sure the phases are.
};

struct Gait {
  GaitKind kind = GaitKind::kNone;
  double frequency_hz = 0;       // Cycles a second.
  double confidence = 0;         // Of the least sure foot.
  std::vector<FootTiming> feet;  // In the order of SkeletonAnalysis::feet.
};

// Of the frames first_frame to last_frame (-1: to the end); contacts and phases are those of the
// whole motion. Fails where contacts do, and on a range outside the clip.
Result<Gait> find_gait(const Motion& motion, const SkeletonAnalysis& analysis, int first_frame = 0,
                       int last_frame = -1);

}  // namespace zoe
