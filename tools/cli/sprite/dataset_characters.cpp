// SPDX-License-Identifier: MIT
#include "sprite/dataset_characters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "sprite/make.h"
#include "sprite/source.h"

namespace zoe::cli {
namespace {

// Of files without a clip: motions that are generated for most bodies.
const std::vector<std::string> kGenerated{"idle", "walk", "run", "jump", "attack"};

// Words of a file name that do not say what it is.
constexpr std::array<std::string_view, 12> kEmptyWords{"character", "rig",   "art",    "model",  "medium", "animated",
                                                       "the",       "large", "rigged", "handed", "anim",   "v"};

void add_actions(const sprite::Request& loaded, const std::string& word, sprite::DatasetCharacter& out) {
  for (const sprite::Clip& clip : loaded.clips) {
    // Poses that files carry for tools are no actions.
    if (clip.motion->num_frames < 3 || clip.name.find("t-pose") != std::string::npos || clip.name == "tpose") continue;
    std::string name = word.empty() ? clip.name : word;
    std::replace(name.begin(), name.end(), '_', ' ');
    out.actions.push_back({name, clip.motion, sprite::is_loop(*clip.motion)});
  }
}

}  // namespace

std::string word_of_file(const std::string& file) {
  const std::string stem = std::filesystem::path(file).stem().string();
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < stem.size(); ++i) {
    const auto c = static_cast<unsigned char>(stem[i]);
    const bool begins = std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(stem[i - 1])) != 0;
    if ((std::isalpha(c) == 0 || begins) && !words.back().empty()) words.emplace_back();
    if (std::isalpha(c) != 0) words.back() += static_cast<char>(std::tolower(c));
  }
  std::string name;
  for (const std::string& word : words) {
    if (word.size() < 2 || std::find(kEmptyWords.begin(), kEmptyWords.end(), word) != kEmptyWords.end()) continue;
    name += (name.empty() ? "" : " ") + word;
  }
  return name.empty() ? "character" : name;
}

Result<sprite::DatasetCharacter> load_dataset_character(const std::string& file, const CharacterWords& words,
                                                        Warnings& warnings) {
  SpriteSource source{.character = file, .motion = words.motion, .clips = words.clips, .actions = {}, .weapons = {}};
  if (source.clips.empty()) source.clips = {"all"};
  sprite::DatasetCharacter out;
  out.name = word_of_file(file);
  sprite::Request bare;
  std::vector<std::string> actions = words.actions;
  if (actions.empty() || !words.clips.empty()) {
    Warnings notes;
    const Result<void> loaded = load_sprite_source(source, bare, notes);
    if (loaded) {
      warnings.insert(warnings.end(), notes.begin(), notes.end());
      add_actions(bare, "", out);
    } else if (!words.motion.empty() || !words.clips.empty() || bare.character == nullptr) {
      return loaded.error();
    } else {
      actions = kGenerated;
    }
  }
  source.clips.clear();
  for (const std::string& action : actions) {
    source.actions = {action};
    sprite::Request one;
    Warnings notes;
    if (const Result<void> loaded = load_sprite_source(source, one, notes); !loaded) {
      if (one.character == nullptr) return loaded.error();  // No character: not the action's fault.
      warnings.push_back({"skipped the action '" + action + "': " + loaded.error().message, {.file = file}});
      continue;
    }
    bare = one;
    add_actions(one, action, out);
  }
  if (out.actions.empty())
    return Error{
        ErrorCode::kInvalid, "has no motion to draw: give clips (--motion FILE) or other actions", {.file = file}};
  out.image_folder = bare.image_folder;
  out.metres_per_unit = bare.metres_per_unit;
  out.body = bare.body;
  out.armed.push_back({"", bare.character, 0});
  for (const std::string& weapon : words.weapons) {
    SpriteSource armed = source;
    armed.weapons = {weapon};
    armed.clips = words.clips.empty() && actions.empty() ? std::vector<std::string>{"0"} : words.clips;
    sprite::Request request;
    ZOE_TRY(load_sprite_source(armed, request, warnings));
    out.armed.push_back(
        {word_of_file(weapon.substr(0, weapon.find('@'))), request.character, request.num_weapon_instances});
  }
  return out;
}

}  // namespace zoe::cli
