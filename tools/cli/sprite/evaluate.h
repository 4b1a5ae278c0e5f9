// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe eval sprite`: painters beside trivial methods.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_eval_sprite(const Arguments& arguments);

inline constexpr Verb kEvalSpriteVerb{"eval sprite", "Measure painters of drawings beside a copy and a puppet",
                                      "zoe eval sprite run --data unseen_species --judge judge", run_eval_sprite};

}  // namespace zoe::cli
