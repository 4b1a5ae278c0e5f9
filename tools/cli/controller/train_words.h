// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The arguments of `zoe train controller`: read by zoe, which has no libtorch, and by
// zoe-train.
#pragma once

#include "zoe/author/train_controller.h"

#include "verb.h"

namespace zoe::cli {

// An exit code where nothing is left to do.
std::optional<int> parse_train_controller(const Arguments& arguments, author::TrainController& job);

// Runs the job with a trainer and prints its messages. Returns an exit code.
int train_controller(author::TrainController& job, author::Trainer& trainer);

inline constexpr Verb kTrainControllerVerb{"train controller", "Train a controller on a folder of motion files",
                                           "zoe train controller --type mann --data clips -o run", nullptr};

}  // namespace zoe::cli
