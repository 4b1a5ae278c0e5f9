// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The parts of `zoe sprite`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/sprite/make_frames.h"

#include "verb.h"

namespace zoe::cli {

int run_sprite_make(const Arguments& arguments);

// What is drawn: files and words of the command line.
struct SpriteSource {
  std::string character;
  std::string motion;                // A file, or empty: the character's own clips.
  std::vector<std::string> clips;    // Names or numbers; "all".
  std::vector<std::string> actions;  // Words: "walk", "attack".
  std::vector<std::string> weapons;  // FILE or FILE@JOINT.
};

// Fills in character, body and clips (motion and name; exposures are left to the caller).
Result<void> load_sprite_source(const SpriteSource& source, sprite::Request& request, Warnings& warnings);

}  // namespace zoe::cli
