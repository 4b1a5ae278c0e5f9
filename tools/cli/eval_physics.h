// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe eval physics`: simulated bodies that follow clips. Builds without the engine
// refuse.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_eval_physics(const Arguments& arguments);

inline constexpr Verb kEvalPhysicsVerb{"eval physics", "Measure simulated bodies on clips: error, falls, pushes, speed",
                                       "zoe eval physics held_out/*.bvh --json", run_eval_physics};

}  // namespace zoe::cli
