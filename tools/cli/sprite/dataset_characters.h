// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Characters of files for `zoe sprite dataset`.
#pragma once

#include <string>
#include <vector>

#include "zoe/sprite/dataset.h"

namespace zoe::cli {

struct CharacterWords {
  std::string motion;                // A file, or empty: the character's own clips.
  std::vector<std::string> clips;    // Names or numbers; empty: all, unless there are actions.
  std::vector<std::string> actions;  // Words; those that a body cannot do are skipped with a warning.
  std::vector<std::string> weapons;  // FILE or FILE@JOINT; each clip has one of them, or none.
};

// "sword" of "props/sword_1handed.gltf@handslot.l", "knight" of "KnightCharacter.glb".
std::string word_of_file(const std::string& file);

Result<sprite::DatasetCharacter> load_dataset_character(const std::string& file, const CharacterWords& words,
                                                        Warnings& warnings);

}  // namespace zoe::cli
