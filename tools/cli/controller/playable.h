// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What `zoe play` steers: a run folder, a .zoe file, or any rig, which then gets a
// controller of its own.
#pragma once

#include <string>
#include <vector>

#include "zoe/author/alive.h"
#include "zoe/scene/displayed_body.h"

namespace zoe::cli {

struct PlayableRequest {
  std::string run;        // A run folder, a .zoe file, or a file with a rig.
  std::string character;  // As load_displayed_body(); empty for a rig: the rig itself.
  std::string overrides;  // Of a rig: corrections of its analysis; empty: none.
  bool with_body = true;  // False: no character is needed, and none is read.
};

struct Playable {
  control::ControllerPtr controller;
  scene::DisplayedBody body;
  std::string summary;      // Of a rig: one line about its gait. Empty for a run.
  float body_length_m = 0;  // Of a rig.
  std::vector<std::string> notes;
};

// True for a file that io reads: a rig, and no run.
bool is_rig_file(const std::string& run);

// Errors name the file.
Result<Playable> load_playable(const PlayableRequest& request);

// A rig with its plan, and the file that it is from.
struct AliveRig {
  io::Asset asset;
  author::Alive alive;
  double seconds = 0;  // To read, analyse and plan.
};
Result<AliveRig> load_alive(const std::string& file, const std::string& overrides = {});
// A run folder with the rig's own skin beside the controller.
Result<void> save_alive(const AliveRig& rig, const std::string& folder);

}  // namespace zoe::cli
