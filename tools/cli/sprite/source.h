// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Motions for sprites: clips by name or action, generated ones, names of files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"
#include "zoe/motion/loop.h"
#include "zoe/motion/motion.h"
#include "zoe/synth/clip.h"

namespace zoe::cli {

std::string lower_case(std::string_view text);
// Names for files and tags: "Armature|Walking A" is walking_a.
std::string tag_of(std::string_view name);
// The same, with a number where a clip of that name exists.
template <typename Clips>
std::string unique_tag(std::string_view name, const Clips& clips) {
  std::string tag = tag_of(name);
  for (const auto& clip : clips) {
    if (clip.name == tag) return tag + "_" + std::to_string(clips.size());
  }
  return tag;
}

// The clip whose name has the action's word: the earliest word, then the shortest name. Null: none.
const Motion* find_action(const std::vector<Motion>& clips, const std::string& action);

// A generated motion of a family, whole and with its one cycle. clips: names of the file's, for the error.
struct GeneratedMotion {
  synth::Body source;
  synth::Clip clip;
  SkeletonAnalysis body;
  Motion motion;  // One cycle, or the whole action.
};
Result<GeneratedMotion> generate_action(const std::string& action, BodyFamily family,
                                        const std::string& clips = "none");
// One cycle of the clip as it plays on `motion` (the same frames); actions that do not repeat stay whole.
Result<Motion> cut_cycle(const synth::Clip& clip, const std::string& action, Motion motion,
                         const SkeletonAnalysis& body);

// Clips of a file that has no part in the drawing but its skeleton.
struct SourceMotions {
  std::vector<Motion> motions;
  SkeletonAnalysis body;
};
Result<SourceMotions> load_motions(const std::string& file, const std::vector<std::string>& clips,
                                   const std::vector<std::string>& actions, Warnings& warnings);

}  // namespace zoe::cli
