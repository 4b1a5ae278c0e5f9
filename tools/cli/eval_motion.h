// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe eval motion`: how far a set of motions is from another.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_eval_motion(const Arguments& arguments);

inline constexpr Verb kEvalMotionVerb{"eval motion", "Measure how far motions are from others, beside their floor",
                                      "zoe eval motion generated --against clips --json", run_eval_motion};

}  // namespace zoe::cli
