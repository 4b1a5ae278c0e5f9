// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe play RUN --goal "sit chair.glb"`: a character uses a prop, without a window.
#pragma once

#include "controller/play_options.h"
#include "controller/playable.h"

namespace zoe::cli {

// Returns an exit code.
int play_goal(const PlayOptions& options, const Playable& playable);

}  // namespace zoe::cli
