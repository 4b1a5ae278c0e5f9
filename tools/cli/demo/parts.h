// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The parts of `zoe demo`; each returns an exit code.
#pragma once

#include <filesystem>
#include <string>

#include "verb.h"

namespace zoe::cli {

// A clip through every format we write and back. `out` empty: in a temporary folder, which goes away.
int demo_formats(const std::string& out);

struct WalkDemo {
  std::filesystem::path folder;
  bool fast = false;    // The walker that ships, instead of training one.
  bool window = true;   // Where there is a display: hand over the keyboard at the end.
  int steps = 14000;    // Of training.
  double seconds = 12;  // Of the film.
};
// From nothing to a character that can be steered: motions, training, film, sheet, table.
int demo_walk(const WalkDemo& demo);

}  // namespace zoe::cli
