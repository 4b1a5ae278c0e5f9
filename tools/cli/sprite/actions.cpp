// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Actions: words for clips, and motions that are generated for them.
#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "zoe/anatomy/find_root.h"
#include "zoe/core/suggest.h"
#include "zoe/io/convert.h"
#include "zoe/motion/calibration.h"

#include "clip.h"
#include "sprite/source.h"

namespace zoe::cli {
namespace {

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

// Words that make a clip another action, or a part of one.
constexpr std::string_view kOtherWords[] = {"block",  "idle", "hit",  "react", "pose",   "start",   "land",
                                            "reload", "end",  "stop", "aim",   "strafe", "backward"};

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

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

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

const Motion* find_action(const std::vector<Motion>& clips, const std::string& action) {
  std::vector<std::string> words{action};
  for (const ActionWords& known : kActions) {
    if (action != known.action) continue;
    for (const char* word : known.words) {
      if (word != nullptr) words.emplace_back(word);
    }
  }
  // "Block_Attack" is a block: names with words of other actions come last, then the shortest name counts.
  const auto other_words = [&](const std::string& name) {
    return std::count_if(std::begin(kOtherWords), std::end(kOtherWords), [&](const std::string_view other) {
      return name.find(other) != std::string::npos && action.find(other) == std::string::npos;
    });
  };
  for (const std::string& word : words) {
    const Motion* best = nullptr;
    std::pair<std::ptrdiff_t, std::size_t> least;
    for (const Motion& clip : clips) {
      const std::string name = lower_case(clip.name);
      if (name.find(word) == std::string::npos) continue;
      const std::pair<std::ptrdiff_t, std::size_t> rank{other_words(name), name.size()};
      if (best == nullptr || rank < least) best = &clip, least = rank;
    }
    if (best != nullptr) return best;
  }
  return nullptr;
}

Result<Motion> cut_cycle(const synth::Clip& clip, const std::string& action, Motion motion,
                         const SkeletonAnalysis& body) {
  const RootTrajectory root = find_root(motion, body);
  if (action == "jump" || action == "attack") return motion;
  if (const std::optional<Loop> cycle = find_cycle(clip); cycle && cycle->end < motion.num_frames)
    return close_loop(motion, *cycle, &root);
  const Result<std::vector<Loop>> loops =
      find_loops(motion, {.root = &root, .min_duration_s = 0.5, .max_duration_s = 1.6, .max_results = 1});
  if (!loops || loops->empty()) return motion;
  return close_loop(motion, loops->front(), &root);
}

Result<GeneratedMotion> generate_action(const std::string& action, BodyFamily family, const std::string& clips) {
  constexpr double kSeconds = 4;
  const std::string word = lower_case(action);
  const std::span<const synth::Gait> gaits = synth::gaits_of(family);
  std::vector<std::string> names;
  for (const synth::Gait gait : gaits) names.emplace_back(synth::to_string(gait));
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) {
    std::vector<std::string> all = names;
    for (const ActionWords& words : kActions) all.emplace_back(words.action);
    const bool is_known = std::find(all.begin(), all.end(), word) != all.end();
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    if (names.empty()) {
      return Error{ErrorCode::kUsage,
                   fmt::format("no clip is named like the action '{}', and none is generated for a body without legs, "
                               "wings or fins; clips: {}",
                               action, clips),
                   {}};
    }
    return Error{
        ErrorCode::kUsage,
        fmt::format("no clip is named like the action '{}'{}, and none is generated for a {} ({} are); clips: {}",
                    action, is_known ? std::string{} : did_you_mean(word, all), to_string(family), known, clips),
        {}};
  }
  GeneratedMotion out;
  out.source = synth::make_body(family, Random(1));
  ZOE_TRY_ASSIGN(out.clip,
                 synth::make_clip(out.source,
                                  {.gait = gaits[static_cast<std::size_t>(found - names.begin())], .seconds = kSeconds},
                                  Random(1)));
  out.body = analyse(*out.source.character->skeleton, {&out.clip.motion, 1}, out.source.character.get());
  ZOE_TRY_ASSIGN(out.motion, cut_cycle(out.clip, word, out.clip.motion, out.body));
  out.motion.name = word;
  return out;
}

Result<SourceMotions> load_motions(const std::string& file, const std::vector<std::string>& clips,
                                   const std::vector<std::string>& actions, Warnings& warnings) {
  ZOE_TRY_ASSIGN(const LoadedClip loaded, load_clip(file, {}, warnings));
  const std::vector<Motion>& all = loaded.asset->clips;
  if (all.empty()) return Error{ErrorCode::kUsage, "contains no clip", {.file = file}};
  SourceMotions out;
  ZOE_TRY_ASSIGN(out.body, analyse_clip(loaded));
  for (const std::string& wanted : clips) {
    if (wanted == "all") {
      out.motions.insert(out.motions.end(), all.begin(), all.end());
      continue;
    }
    Result<std::size_t> found = io::find_clip(all, wanted);
    if (!found) {
      Error error = found.error();
      error.where.file = file;
      return error;
    }
    out.motions.push_back(all[*found]);
  }
  for (const std::string& action : actions) {
    const Motion* found = find_action(all, lower_case(action));
    if (found == nullptr) {
      std::string known;
      for (const Motion& clip : all) known += (known.empty() ? "" : ", ") + clip.name;
      return Error{ErrorCode::kUsage,
                   fmt::format("no clip is named like the action '{}'; clips: {}", action, known),
                   {.file = file}};
    }
    out.motions.push_back(*found);
  }
  if (out.motions.empty()) out.motions.push_back(all.front());
  std::erase_if(out.motions, [](const Motion& motion) { return motion.num_frames < 1; });
  for (Motion& motion : out.motions) drop_calibration_frames(motion);
  if (out.motions.empty()) return Error{ErrorCode::kInvalid, "the clips have no frames", {.file = file}};
  return out;
}

}  // namespace zoe::cli
