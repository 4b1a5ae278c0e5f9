// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Progress of a job on the terminal.
#pragma once

#include "zoe/author/listener.h"

namespace zoe::cli {

// Lines to stdout, warnings to stderr, a bar for progress. With --quiet only warnings, as in print_warnings().
author::Listener print_listener();

}  // namespace zoe::cli
