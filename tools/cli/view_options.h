// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The words of `zoe view`: read by zoe, which knows no window system, and again by zoe-view.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clip.h"
#include "verb.h"

namespace zoe::cli {

// What all that is shown in a window shares.
struct WindowFlags {
  std::string theme, quality;  // Empty: as it was left.
  int width = 0, height = 0;   // 0: as it was left.
  bool no_panels = false;
  bool fresh = false;      // Neither reads nor writes what is remembered.
  std::string screenshot;  // Written after `after` frames, then ends.
  long after = 0;          // Frames; 0: no end.
  std::string film;        // What is seen, until the window is closed.
  std::string record;      // File that all input is written to.
  bool headless = false, hash = false, state = false, debug = false;
};

struct ViewOptions : WindowFlags {
  std::vector<std::string> files;  // Clips, characters, folders.
  ClipOptions clip;
  std::string camera = "orbit";  // orbit, free, follow, fixed.
  double time_s = -1;            // Stands there, paused; below 0: plays.
  bool overlaid = false;
  std::string play;  // File of input.
};

// Declares them; size: WIDTHxHEIGHT, for read_window_flags().
void add_window_flags(Options& app, WindowFlags& flags, std::string& size);
// Once parsed: the size as numbers, and what else follows.
Result<void> read_window_flags(WindowFlags& flags, const std::string& size);

// An exit code when there is nothing more to do.
std::optional<int> parse_view(const Arguments& arguments, ViewOptions& options);

inline constexpr Verb kViewVerb{"view", "Look at clips in a window: play, compare, measure, pose", "zoe view walk.glb",
                                nullptr};

}  // namespace zoe::cli
