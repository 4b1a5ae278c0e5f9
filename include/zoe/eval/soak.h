// SPDX-License-Identifier: MIT
// Part of Zoetrope. A long run of a crowd to which everything happens at random: characters come and go, sticks, goals,
// absurd intents, lifts, restarts, grounds, sizes, styles, ticks of any length, rollbacks, states that are saved,
// damaged and restored into other crowds. It looks for poses that are not finite, hashes that come apart, memory that
// grows and feet that begin to slide.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "zoe/control/crowd.h"

namespace zoe::eval {

struct Soak {
  std::int64_t ticks = 0;
  double simulated_s = 0, wall_s = 0;
  std::int64_t character_ticks = 0;
  std::int64_t spawns = 0, despawns = 0, rollbacks = 0, restores = 0, damaged = 0;
  std::int64_t recoveries = 0;          // Restarts of characters. Absurd intents may cause some; no finding.
  std::int64_t not_finite = 0;          // Poses with a number that is not finite, or a rotation without unit length.
  std::int64_t hash_mismatches = 0;     // Rollbacks and restored crowds that came apart.
  std::int64_t refused = 0;             // Own bytes that were not restored.
  double resident_mb = 0, warm_mb = 0;  // Memory of the process: now, and after the first tenth of the run.
  // Mean speed of a foot in contact, of characters that walk on for ever: in the first and the last third of the run.
  double first_contact_cm_s = 0, last_contact_cm_s = 0;
  std::vector<std::string> findings;  // One line each; empty: nothing was found.
};

struct SoakOptions {
  double minutes = 1;          // Of wall-clock time.
  std::int64_t max_ticks = 0;  // Ends there instead; then the run is the same on every machine. 0: by time.
  int crowd = 64;              // Characters at the same time, of all models together.
  std::uint64_t seed = 1;
  double progress_s = 10;  // Wall-clock time between calls of on_progress.
  std::function<void(const Soak&)> on_progress;
};

// models: at least one.
Soak run_soak(const std::vector<control::ControllerPtr>& models, Executor& pool, const SoakOptions& options = {});

}  // namespace zoe::eval
