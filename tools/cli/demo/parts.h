// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The parts of `zoe demo`; each returns an exit code.
#pragma once

#include <filesystem>
#include <string>

#include "verb.h"

namespace zoe::cli {

// A clip through every written format and back. `out` empty: in a temporary folder, which is removed.
int demo_formats(const std::string& out);

struct WalkDemo {
  std::filesystem::path folder;
  bool fast = false;    // Uses the included walker, instead of training one.
  bool window = true;   // With a display: opens a window for the keyboard at the end.
  int steps = 14000;    // Training steps.
  double seconds = 12;  // Length of the film.
};
// From nothing to a steerable character: motions, training, film, sheet, table.
int demo_walk(const WalkDemo& demo);

}  // namespace zoe::cli
