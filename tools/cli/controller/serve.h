// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe play --port` without a window.
#pragma once

#include "zoe/control/controller.h"

#include "controller/play_options.h"

namespace zoe::cli {

// Ticks in real time until --seconds or a signal, steered by connected clients. Returns an exit code.
int serve(const control::Controller& controller, const PlayOptions& options);

}  // namespace zoe::cli
