// SPDX-License-Identifier: MIT
// Part of Zoetrope. Actions of a body in a clip, part by part: standing, walking, running, turning, jumping, lying, ….
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"

namespace zoe {

enum class Action : std::uint8_t {
  kIdle,    // On its feet and in one position; arms may move.
  kWalk,    // Travels with a foot on the ground, or slowly.
  kRun,     // Travels in leaps, or faster than legs of its length walk.
  kTurn,    // Turns on the spot.
  kJump,    // In the air for longer than a running step.
  kCrouch,  // Hips well below their height when standing: squatting, kneeling, crawling.
  kSit,     // Quadrupeds: hips down, chest up.
  kLie,     // Head (or chest) and hips down.
  kMove     // Bodies without legs: travels.
};
const char* to_string(Action action);

struct ActionSegment {
  Action action = Action::kIdle;
  int first_frame = 0, last_frame = 0;  // Both included.
  double confidence = 0;                // 0 to 1: mean fit of its frames to the action.
  double distance_m = 0;                // Path length of the hips over the ground.
  double mean_speed_m_s = 0, max_speed_m_s = 0;
  double turn_rad = 0;          // Sum of the signed turns of the facing, positive to the left.
  double hip_height_m = 0;      // Mean, above the lower foot. Above the ground where there are no feet.
  double hip_height_share = 0;  // Fraction of the height when standing.
};

struct SegmentOptions {
  // About the shortest part. A contradicting part of half this length is given to its neighbours.
  double min_duration_s = 0.5;
};

// Covers the clip without gaps. Neighbours have different actions. Speeds are in √(g L) of the legs, heights in
// fractions of the standing body, so that one set of limits works for bodies of any size. Fails without frames, without
// joints, and where up is not +Y.
Result<std::vector<ActionSegment>> segment_actions(const Motion& motion, const SkeletonAnalysis& analysis,
                                                   const SegmentOptions& options = {});

}  // namespace zoe
