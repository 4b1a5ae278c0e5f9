// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe eval generate`: generated motions beside real ones of the same skeletons.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_eval_generate(const Arguments& arguments);

inline constexpr Verb kEvalGenerateVerb{"eval generate", "Measure generated motions for any skeleton beside real ones",
                                        "zoe eval generate made --against clips -o table.md", run_eval_generate};

}  // namespace zoe::cli
