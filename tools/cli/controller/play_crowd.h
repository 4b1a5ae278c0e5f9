// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe play RUN --crowd N`: many characters of one controller.
#pragma once

#include "verb.h"

namespace zoe::cli {

// Whether the words ask for a crowd: it has options of its own.
bool wants_crowd(const Arguments& arguments);
int play_crowd(const Arguments& arguments);

}  // namespace zoe::cli
