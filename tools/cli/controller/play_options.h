// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The words of `zoe play`: read by zoe, which knows no window system, and again by zoe-view.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "zoe/control/controller.h"
#include "zoe/control/sources.h"

#include "verb.h"
#include "view_options.h"

namespace zoe::cli {

struct PlayOptions : WindowFlags {
  std::string run;
  std::string path, script;  // Empty: keys and sticks steer, where there is a window.
  std::string output, style = "studio";
  std::string ground;            // As eval::make_ground(); empty: flat.
  std::string action, in_style;  // Labels of the model; empty: none.
  std::string replay;            // File of input.
  int port = -1;                 // -1: none.
  std::string listen = "127.0.0.1";
  double seconds = 0;    // 0: not given.
  double speed_mps = 0;  // Along paths; 0: as fast as the data mostly went.
  double fps = 60;
  std::uint64_t seed = 1;

  // A window is what is left when nothing is to be written.
  bool wants_window() const { return output.empty() && !headless; }
};

// An exit code when there is nothing more to do.
std::optional<int> parse_play(const Arguments& arguments, PlayOptions& options);

// The path or script that was asked for; null: neither, and no label.
Result<std::unique_ptr<control::IntentSource>> make_source(const PlayOptions& options,
                                                           const control::Controller& controller);

// Where a character begins that follows it: at the path's start, else at the origin.
PlanarRoot start_of(const control::IntentSource& source);

// Whether this session has a display at all; it may still refuse a window.
bool has_display();

// What zoe tells zoe-view before the words of `zoe play`.
inline constexpr const char* kPlayWord = "--steer";
inline constexpr Verb kPlayVerb{"play", "Steer a controller: in a window, along a path; or write its motion or a film",
                                "zoe play models/walker --path circle --seconds 10 -o circle.mp4", nullptr};

}  // namespace zoe::cli
