// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The character and the motions of `zoe sprite make`.
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "zoe/anatomy/find_root.h"
#include "zoe/core/suggest.h"
#include "zoe/io/convert.h"
#include "zoe/motion/loop.h"
#include "zoe/retarget/retarget.h"
#include "zoe/synth/clip.h"

#include "clip.h"
#include "retarget/work.h"
#include "sprite/make.h"

namespace zoe::cli {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// Names for files and tags: "Armature|Walking A" is walking_a.
std::string tag_of(std::string_view name) {
  name = name.substr(std::min(name.find_last_of('|') + 1, name.size()));
  std::string tag;
  for (const char c : lower_case(name)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-') {
      tag += c;
    } else if (!tag.empty() && tag.back() != '_') {
      tag += '_';
    }
  }
  while (!tag.empty() && tag.back() == '_') tag.pop_back();
  return tag.empty() ? "clip" : tag;
}

// Words that clips of one action are named with, the most usual first.
struct ActionWords {
  const char* action;
  std::array<const char*, 8> words;
};
constexpr ActionWords kActions[] = {
    {"idle", {"idle", "stand", "wait", "breath"}},
    {"walk", {"walk", "move", "crawl", "slither", "swim", "fly"}},
    {"run", {"run", "sprint", "gallop", "jog"}},
    {"attack", {"attack", "slash", "slice", "chop", "punch", "bite", "stab", "swing"}},
    {"jump", {"jump", "hop", "leap"}},
    {"hit", {"hit", "hurt", "damage", "recieve", "receive", "react"}},
    {"death", {"death", "die", "dead", "defeat"}},
    {"cast", {"cast", "spell", "magic", "shoot"}},
    {"dance", {"dance", "cheer", "victory", "wave"}},
};

// The clip whose name has the action's word: the earliest word, then the shortest name.
const Motion* find_action(const std::vector<Motion>& clips, const std::string& action) {
  std::vector<std::string> words{action};
  for (const ActionWords& known : kActions) {
    if (action != known.action) continue;
    for (const char* word : known.words) {
      if (word != nullptr) words.emplace_back(word);
    }
  }
  for (const std::string& word : words) {
    const Motion* best = nullptr;
    for (const Motion& clip : clips) {
      if (lower_case(clip.name).find(word) == std::string::npos) continue;
      if (best == nullptr || clip.name.size() < best->name.size()) best = &clip;
    }
    if (best != nullptr) return best;
  }
  return nullptr;
}

// From one footfall of a leg to its next, in the middle of the clip: a whole cycle, not one step.
std::optional<Loop> find_cycle(const synth::Clip& clip) {
  const auto num_frames = static_cast<std::size_t>(clip.motion.num_frames);
  const std::size_t num_legs = clip.contacts.size() / num_frames;
  std::vector<int> falls;
  for (std::size_t i = 1; num_legs > 0 && i < num_frames; ++i) {
    if (clip.contacts[i * num_legs] != 0 && clip.contacts[(i - 1) * num_legs] == 0)
      falls.push_back(static_cast<int>(i));
  }
  if (falls.size() < 2) return std::nullopt;
  const std::size_t middle = (falls.size() - 2) / 2;
  return Loop{.begin = falls[middle], .end = falls[middle + 1]};
}

// A generated motion of the character's family, retargeted onto the character.
Result<Motion> synthesise(const std::string& action, const LoadedClip& character, const SkeletonAnalysis& body) {
  constexpr double kSeconds = 4;
  const std::span<const synth::Gait> gaits = synth::gaits_of(body.family);
  std::vector<std::string> names;
  for (const synth::Gait gait : gaits) names.emplace_back(synth::to_string(gait));
  const auto found = std::find(names.begin(), names.end(), action);
  std::string known;
  for (const Motion& clip : character.asset->clips) known += (known.empty() ? "" : ", ") + clip.name;
  if (found == names.end()) {
    std::vector<std::string> all = names;
    for (const ActionWords& words : kActions) all.emplace_back(words.action);
    return Error{ErrorCode::kUsage,
                 fmt::format("no clip is named like the action '{}'{}, and none is generated for a {}; clips: {}",
                             action, did_you_mean(action, all), to_string(body.family), known.empty() ? "none" : known),
                 {.file = character.file}};
  }
  const synth::Body source = synth::make_body(body.family, Random(1));
  ZOE_TRY_ASSIGN(
      const synth::Clip clip,
      synth::make_clip(source, {.gait = gaits[static_cast<std::size_t>(found - names.begin())], .seconds = kSeconds},
                       Random(1)));
  const SkeletonAnalysis from = analyse(*source.character->skeleton, {&clip.motion, 1}, source.character.get());
  ZOE_TRY_ASSIGN(const RetargetCharacter target, load_character(character.file, ""));
  Result<Motion> moved = retarget(clip.motion, from, target.character->skeleton, target.body,
                                  {.target_reference = target.reference, .target_character = target.character.get()});
  if (!moved) return moved;
  moved->name = action;
  // One cycle of a gait; actions that do not repeat stay whole.
  const RootTrajectory root = find_root(*moved, target.body);
  if (action == "jump" || action == "attack") return moved;
  if (const std::optional<Loop> cycle = find_cycle(clip); cycle && cycle->end < moved->num_frames)
    return close_loop(*moved, *cycle, &root);
  const Result<std::vector<Loop>> loops =
      find_loops(*moved, {.root = &root, .min_duration_s = 0.5, .max_duration_s = 1.6, .max_results = 1});
  if (!loops || loops->empty()) return moved;
  return close_loop(*moved, loops->front(), &root);
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

}  // namespace

Result<void> load_sprite_source(const SpriteSource& source, sprite::Request& request, Warnings& warnings) {
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
  ZOE_TRY_ASSIGN(std::vector<Motion> motions, select_clips(source, character, request.body, warnings));
  for (Motion& motion : motions) {
    if (motion.num_frames < 1) continue;
    std::string name = tag_of(motion.name);
    const auto same = std::count_if(request.clips.begin(), request.clips.end(),
                                    [&](const sprite::Clip& clip) { return clip.name == name; });
    if (same > 0) name += fmt::format("_{}", request.clips.size());
    request.clips.push_back({.name = name, .motion = std::make_shared<const Motion>(std::move(motion))});
  }
  if (request.clips.empty()) return Error{ErrorCode::kInvalid, "the clips have no frames", {.file = source.character}};
  return {};
}

}  // namespace zoe::cli
