// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe eval terrain`: controllers on uneven ground.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_eval_terrain(const Arguments& arguments);

inline constexpr Verb kEvalTerrainVerb{"eval terrain", "Measure controllers on uneven ground, with foot IK on and off",
                                       "zoe eval terrain blind grid --held-out clips -o terrain.json",
                                       run_eval_terrain};

}  // namespace zoe::cli
