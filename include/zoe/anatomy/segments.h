// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a body does in a clip, part by part: standing, walking, running, turning,
// jumping, lying, ….
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"

namespace zoe {

enum class Action : std::uint8_t {
  kIdle,    // On its feet and in its place, whatever arms do.
  kWalk,    // Travels with a foot on the ground, or slowly.
  kRun,     // Travels in leaps, or faster than legs of its length walk.
  kTurn,    // Turns in its place.
  kJump,    // In the air for longer than a running step takes.
  kCrouch,  // Hips well below where they are when it stands: squatting, kneeling, crawling.
  kSit,     // Quadrupeds: hips down, chest up.
  kLie,     // Head (or chest) and hips down.
  kMove     // Bodies without legs: travels.
};
const char* to_string(Action action);

struct ActionSegment {
  Action action = Action::kIdle;
  int first_frame = 0, last_frame = 0;  // Both included.
  double confidence = 0;                // 0 to 1: the mean of how well its frames fit the action.
  double distance_m = 0;                // Of the hips' way over the ground.
  double mean_speed_m_s = 0, max_speed_m_s = 0;
  double turn_rad = 0;          // Sum of the signed turns of the facing, positive to the left.
  double hip_height_m = 0;      // Mean, above the lower foot; above the ground where there are no feet.
  double hip_height_share = 0;  // Of what it is when it stands.
};

struct SegmentOptions {
  // About the shortest part that is kept: a contradicting stretch of half of it is given to its
  // neighbours.
  double min_duration_s = 0.5;
};

// Covers the clip without gaps; neighbours have different actions. Speeds count in √(g L) of the
// legs, heights in shares of the standing body, so that one set of limits serves bodies of any
// size. Fails on no frames, on a body without joints, and where up is not +Y.
Result<std::vector<ActionSegment>> segment_actions(const Motion& motion, const SkeletonAnalysis& analysis,
                                                   const SegmentOptions& options = {});

}  // namespace zoe
