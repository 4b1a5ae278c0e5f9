// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The character and the motions of `zoe sprite make`.
#include "sprite/source.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "zoe/io/convert.h"
#include "zoe/motion/calibration.h"
#include "zoe/retarget/retarget.h"
#include "zoe/sprite/weapon.h"

#include "clip.h"
#include "retarget/work.h"
#include "sprite/identity_source.h"
#include "sprite/make.h"

namespace zoe::cli {
namespace {

// A generated motion of the character's family, retargeted onto the character.
Result<Motion> synthesise(const std::string& action, const LoadedClip& character, const SkeletonAnalysis& body) {
  std::string known;
  for (const Motion& clip : character.asset->clips) known += (known.empty() ? "" : ", ") + clip.name;
  Result<GeneratedMotion> generated = generate_action(action, body.family, known.empty() ? "none" : known);
  if (!generated) {
    Error error = generated.error();
    error.where.file = character.file;
    return error;
  }
  ZOE_TRY_ASSIGN(const RetargetCharacter target, load_character(character.file, ""));
  Result<Motion> moved = retarget(generated->clip.motion, generated->body, target.character->skeleton, target.body,
                                  {.target_reference = target.reference, .target_character = target.character.get()});
  if (!moved) return moved;
  moved->name = action;
  return cut_cycle(generated->clip, action, std::move(moved).value(), target.body);
}

Result<std::vector<Motion>> select_clips(const SpriteSource& source, const LoadedClip& character,
                                         const SkeletonAnalysis& body, Warnings& warnings) {
  const std::vector<Motion>* clips = &character.asset->clips;
  LoadedClip other;
  if (!source.motion.empty()) {
    ZOE_TRY_ASSIGN(other, load_clip(source.motion, {}, warnings));
    clips = &other.asset->clips;
  }
  const std::string& file = source.motion.empty() ? source.character : source.motion;
  if (clips->empty() && source.actions.empty()) {
    return Error{ErrorCode::kUsage,
                 "contains no clip: give a motion (--motion FILE) or an action (--action walk)",
                 {.file = file}};
  }
  std::vector<Motion> chosen;
  for (const std::string& wanted : source.clips) {
    if (wanted == "all") {
      chosen.insert(chosen.end(), clips->begin(), clips->end());
      continue;
    }
    Result<std::size_t> found = io::find_clip(*clips, wanted);
    if (!found) {
      Error error = found.error();
      error.where.file = file;
      return error;
    }
    chosen.push_back((*clips)[*found]);
  }
  std::vector<Motion> generated;
  for (const std::string& action : source.actions) {
    if (const Motion* clip = find_action(*clips, lower_case(action))) {
      chosen.push_back(*clip);
    } else {
      ZOE_TRY_ASSIGN(Motion motion, synthesise(lower_case(action), character, body));
      generated.push_back(std::move(motion));
    }
  }
  if (chosen.empty() && generated.empty()) chosen.push_back(clips->front());
  for (Motion& motion : chosen) drop_calibration_frames(motion);
  if (!source.motion.empty()) {
    // The clip on the character's body, as `zoe render --character` plays it.
    for (Motion& motion : chosen) {
      LoadedClip moved = other;
      moved.motion = std::move(motion);
      const std::string name = moved.motion.name;
      ZOE_TRY(change_body(moved, source.character));
      motion = std::move(moved.motion);
      motion.name = name;
    }
  }
  for (Motion& motion : generated) chosen.push_back(std::move(motion));
  return chosen;
}

// "sword.gltf@handslot.l": the file, and the joint that carries it.
Result<void> add_weapon(const std::string& word, const LoadedClip& character, sprite::Request& request,
                        Warnings& warnings) {
  const std::size_t at = word.find_last_of('@');
  const bool named = at != std::string::npos && !std::filesystem::exists(word);
  const std::string file = named ? word.substr(0, at) : word;
  Warnings notes;
  ZOE_TRY_ASSIGN(const LoadedClip weapon, load_clip(file, {}, notes));
  const float own = weapon.metres_per_unit(), body = character.metres_per_unit();
  Warnings sizes;
  Result<CharacterPtr> armed = sprite::with_weapon(request.character, request.body, *weapon.character(),
                                                   {.joint = named ? word.substr(at + 1) : "",
                                                    .image_folder = weapon.image_folder,
                                                    .scale = body > 0 ? own / body : 1},
                                                   sizes);
  for (Warning& warning : sizes) {
    warning.where.file = file;
    warnings.push_back(std::move(warning));
  }
  if (!armed) {
    Error error = armed.error();
    error.where.file = file;
    return error;
  }
  request.num_weapon_instances += static_cast<int>((*armed)->instances.size() - request.character->instances.size());
  request.character = std::move(armed).value();
  return {};
}

}  // namespace

Result<void> load_sprite_source(const SpriteSource& source, sprite::Request& request, Warnings& warnings) {
  if (const auto seed = identity_seed(source.character)) return load_identity_source(*seed, source, request, warnings);
  if (source.character.starts_with("identity:")) {
    return Error{ErrorCode::kUsage, "identity:SEED needs a whole number: --character identity:17", {}};
  }
  Warnings notes;
  ZOE_TRY_ASSIGN(const LoadedClip character, load_clip(source.character, {}, notes));
  // Without clips of its own a character is still good for those of other files.
  std::erase_if(notes, [](const Warning& w) { return w.message.find("rest pose is drawn") != std::string::npos; });
  warnings.insert(warnings.end(), notes.begin(), notes.end());
  if (!character.has_mesh()) {
    return Error{
        ErrorCode::kInvalid, "has no mesh to draw: a sprite needs a character with a body", {.file = source.character}};
  }
  ZOE_TRY_ASSIGN(request.body, analyse_clip(character));
  request.character = character.character();
  request.image_folder = character.image_folder;
  request.metres_per_unit = character.metres_per_unit();
  for (const std::string& weapon : source.weapons) ZOE_TRY(add_weapon(weapon, character, request, warnings));
  ZOE_TRY_ASSIGN(std::vector<Motion> motions, select_clips(source, character, request.body, warnings));
  for (Motion& motion : motions) {
    if (motion.num_frames < 1) continue;
    const std::string name = unique_tag(motion.name, request.clips);
    request.clips.push_back({.name = name, .motion = std::make_shared<const Motion>(std::move(motion))});
  }
  if (request.clips.empty()) return Error{ErrorCode::kInvalid, "the clips have no frames", {.file = source.character}};
  return {};
}

}  // namespace zoe::cli
