// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe eval style`: style transfer measured by fixed judges.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_eval_style(const Arguments& arguments);

inline constexpr Verb kEvalStyleVerb{"eval style", "Measure style transfer by fixed judges, beside trivial methods",
                                     "zoe eval style run --data clips --judges judges --json", run_eval_style};

}  // namespace zoe::cli
