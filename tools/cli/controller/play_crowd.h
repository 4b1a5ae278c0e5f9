// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe play RUN --crowd N`: many characters of one controller.
#pragma once

#include "verb.h"

namespace zoe::cli {

// True if the words request a crowd, which has its own options.
bool wants_crowd(const Arguments& arguments);
int play_crowd(const Arguments& arguments);

}  // namespace zoe::cli
