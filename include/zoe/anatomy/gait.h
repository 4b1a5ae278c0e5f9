// SPDX-License-Identifier: MIT
// Part of Zoetrope. Gait of a body: the timing of each foot in the cycle, its duty factor, and the name of the gait.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"

namespace zoe {

enum class GaitKind : std::uint8_t {
  kNone,    // No cycle.
  kWalk,    // Two legs: half a cycle apart, always a foot in contact. Four: one after the other.
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
  // Cycles, [0, 1): middle of its stance after that of the left hind foot (of two legs: the left one).
  double lag = 0;
  double duty = 0;        // Duty factor: fraction of the time in contact.
  double confidence = 0;  // 0 to 1: steadiness of the lag times confidence of the phases.
};

struct Gait {
  GaitKind kind = GaitKind::kNone;
  double frequency_hz = 0;       // Cycles per second.
  double confidence = 0;         // Of the foot with the lowest confidence.
  std::vector<FootTiming> feet;  // In the order of SkeletonAnalysis::feet.
};

// For the frames first_frame to last_frame (-1: to the end). Contacts and phases are those of the whole motion. Fails
// where contacts do, and on a range outside the clip.
Result<Gait> find_gait(const Motion& motion, const SkeletonAnalysis& analysis, int first_frame = 0,
                       int last_frame = -1);

}  // namespace zoe
