// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The arguments of `zoe play`: read by zoe, which has no window system, and again by
// zoe-view.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zoe/eval/intent_source.h"

#include "verb.h"
#include "view_options.h"

namespace zoe::cli {

struct PlayOptions : WindowFlags {
  std::string run;
  std::string path, script;  // Empty: keys and sticks steer, where there is a window.
  std::string output, style = "studio";
  std::string ground;               // As eval::make_ground(); empty: flat.
  std::string character;            // As load_displayed_body().
  std::string token;                // Of --port; empty: none.
  double command_timeout_s = 0;     // Of --port; 0: none.
  std::string action, in_style;     // Labels of the model; empty: none.
  double seat_scale = 1;            // On the mesh of a goal's file.
  std::string goal;                 // A deed with a prop, e.g. "sit chair.glb"; empty: none.
  std::string mood, style_model;    // A style of a model of `zoe train style`, over the controller; empty: none.
  bool physics = false;             // A simulated body follows the controller.
  std::vector<std::string> pushes;  // As parse_push().
  std::string keep;                 // Bones of the simulated body that hold their targets.
  std::string lock_feet;            // Network of learned foot locks; empty: none.
  std::string policy;               // Folder of `zoe physics learn`; empty: none.
  double assist_share = 1.2;        // Of the simulated body's weight.
  bool show_body = false;           // Its shapes instead of the character.
  std::string replay;               // File of input.
  std::string save;                 // Run folder of a rig; empty: not kept.
  std::string overrides;            // Of a rig: corrections of its analysis; empty: none.
  bool measure = false;             // Of a rig.
  int port = -1;                    // -1: none.
  std::string listen = "127.0.0.1";
  double seconds = 0;    // 0: not given.
  double speed_mps = 0;  // Along paths. 0: the data's median speed.
  double fps = 60;
  std::uint64_t seed = 1;

  // A window opens where nothing is written.
  bool wants_window() const { return output.empty() && !headless; }
  // Null without a path, a script and an action: keys steer, and the window has its own selection of labels.
  eval::SourceRequest source() const { return {path, script, static_cast<float>(speed_mps), seed, in_style, action}; }
};

// An exit code where nothing is left to do.
std::optional<int> parse_play(const Arguments& arguments, PlayOptions& options);

// True if this session has a display. It may still refuse a window.
bool has_display();

// Word that zoe passes to zoe-view before the words of `zoe play`.
inline constexpr const char* kPlayWord = "--steer";
inline constexpr Verb kPlayVerb{
    "play", "Steer a controller or any rig: in a window, along a path; or write its motion or a film",
    "zoe play models/walker --path circle --seconds 10 -o circle.mp4", nullptr};

}  // namespace zoe::cli
