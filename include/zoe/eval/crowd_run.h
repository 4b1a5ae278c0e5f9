// SPDX-License-Identifier: MIT
// Part of Zoetrope. A crowd run without a display: its cost, and the interaction between characters.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "zoe/control/crowd.h"
#include "zoe/core/result.h"

namespace zoe::eval {

// Bodies of random sizes: the upper body from sizes.first to sizes.second times the model's, pelvis and legs by a
// further factor from `legs`.
using Range = std::pair<float, float>;
std::vector<control::Proportions> draw_proportions(int num_characters, Range sizes, Range legs, std::uint64_t seed);

struct CrowdRunOptions {
  double seconds = 20;
  double fps = 60;        // Ticks a second.
  double looks_fps = 30;  // Calls of an observer per second. At most one per tick.
};

struct CrowdRunReport {
  long num_ticks = 0;
  double ticks_s = 0;      // Wall time of intents and ticks.
  double overlap_s = 0;    // Time that pairs were closer than their radii, summed over all pairs.
  double stuck_s = 0;      // Summed over all characters.
  int most_overlaps = 0;   // Pairs at the same time.
  float deepest_m = 0;     // Overlap of two discs.
  int num_recoveries = 0;  // Of all characters.
};

// Writes the next intents of all characters: intents are [crowd.size()].
using CrowdIntents = std::function<void(const control::Crowd& crowd, std::span<control::Intent> intents)>;

struct CrowdObserver {
  std::function<Result<void>(const control::Crowd& crowd, double time_s)> look;  // The first at time 0; may be null.
  std::function<void()> ticked;                                                  // After each tick; may be null.
};

// At least one tick. Fails where look() does.
Result<CrowdRunReport> run_crowd(control::Crowd& crowd, const CrowdIntents& intents, const CrowdRunOptions& options,
                                 const CrowdObserver& observer = {});

}  // namespace zoe::eval
