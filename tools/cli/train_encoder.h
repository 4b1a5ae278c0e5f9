// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe train encoder`: a motion encoder from folders of clips.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_train_encoder(const Arguments& arguments);

inline constexpr Verb kTrainEncoderVerb{"train encoder", "Train a motion encoder on folders of motion files",
                                        "zoe train encoder --data clips made -o run", run_train_encoder};

}  // namespace zoe::cli
