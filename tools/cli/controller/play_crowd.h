// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe play RUN --crowd N`: many characters of one controller.
#pragma once

#include "verb.h"

namespace zoe::cli {

// In a window, where nothing is written and there is a display.
int play_crowd(const Arguments& arguments);

// Becomes zoe-view with these arguments. Returns only on an error.
int open_play_window(const Arguments& arguments);

}  // namespace zoe::cli
