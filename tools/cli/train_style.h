// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe train style` and `zoe train judges`: from folders of labelled clips.
#pragma once

#include <string>
#include <vector>

#include "verb.h"

namespace zoe::cli {

int run_train_style(const Arguments& arguments);
int run_train_judges(const Arguments& arguments);
// The model `style` alone, on toy data or on tracks, is an ordinary training.
bool trains_on_motion_files(const std::vector<std::string>& words);

inline constexpr Verb kTrainStyleVerb{"train style", "Train a model of styles on labelled clips",
                                      "zoe train style --data clips -o run", run_train_style};
inline constexpr Verb kTrainJudgesVerb{"train judges", "Train the judges of styles on labelled clips",
                                       "zoe train judges --data clips -o judges", run_train_judges};

}  // namespace zoe::cli
