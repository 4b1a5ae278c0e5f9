// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe eval goals`: controllers that walk around props to a goal.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_eval_goals(const Arguments& arguments);

inline constexpr Verb kEvalGoalsVerb{"eval goals", "Measure controllers that walk around obstacles to a goal",
                                     "zoe eval goals models/walker --tasks 50", run_eval_goals};

}  // namespace zoe::cli
