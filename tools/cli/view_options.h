// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The arguments of `zoe view`: read by zoe, which has no window system, and again by
// zoe-view.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clip.h"
#include "verb.h"

namespace zoe::cli {

// Flags of everything displayed in a window.
struct WindowFlags {
  std::string theme, quality;  // Empty: as in the last session.
  int width = 0, height = 0;   // 0: as in the last session.
  bool no_panels = false;
  bool fresh = false;      // Neither reads nor writes saved settings.
  std::string screenshot;  // Written after `after` frames. Then the program ends.
  long after = 0;          // Frames; 0: no end.
  std::string film;        // Records the picture until the window is closed.
  std::string record;      // File that all input is written to.
  bool headless = false, hash = false, state = false, debug = false;
};

struct ViewOptions : WindowFlags {
  std::vector<std::string> files;  // Clips, characters, folders.
  ClipOptions clip;
  std::string camera = "orbit";  // orbit, free, follow, fixed.
  double time_s = -1;            // Starts paused at this time. Below 0: plays.
  bool overlaid = false;
  std::string play;  // File of input.
};

// Declares them; size: WIDTHxHEIGHT, for read_window_flags().
void add_window_flags(Options& app, WindowFlags& flags, std::string& size);
// After parsing: the size as numbers, and derived values.
Result<void> read_window_flags(WindowFlags& flags, const std::string& size);

// An exit code where nothing is left to do.
std::optional<int> parse_view(const Arguments& arguments, ViewOptions& options);

inline constexpr Verb kViewVerb{"view", "Look at clips in a window: play, compare, measure, pose", "zoe view walk.glb",
                                nullptr};

}  // namespace zoe::cli
