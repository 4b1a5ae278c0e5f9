// SPDX-License-Identifier: MIT
// Part of Zoetrope. Training clips: identities and characters of files × actions × cameras × styles × weapons, with
// captions and exact poses.
// Every clip is a function of the options and its number. So machines share the work by parts, and an interrupted run
// goes on where it stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/character.h"
#include "zoe/core/executor.h"
#include "zoe/sprite/identity/identity.h"
#include "zoe/sprite/look.h"
#include "zoe/sprite/maps.h"

namespace zoe::sprite {

// A character of a file, its motions, and the weapons it may carry.
struct DatasetCharacter {
  struct Action {
    std::string word;  // "walk": of captions.
    std::shared_ptr<const Motion> motion;
    bool loop = false;
  };
  struct Armed {
    std::string weapon;  // "sword"; empty: none.
    CharacterPtr character;
    int num_weapon_instances = 0;
  };
  std::string name;          // "barbarian": of captions.
  std::vector<Armed> armed;  // At least one.
  std::filesystem::path image_folder;
  float metres_per_unit = 1;
  SkeletonAnalysis body;
  std::vector<Action> actions;  // At least one.
};

struct DatasetOptions {
  std::filesystem::path folder;
  std::uint64_t first_identity = 0;
  int num_identities = 300;                  // 0: characters only.
  std::vector<DatasetCharacter> characters;  // Drawn beside the identities.
  std::vector<std::string> actions;          // Empty: all of identity::action_words().
  // Further motions, on the skeleton of `motion_source`; their names are their words.
  std::vector<Motion> motions;
  const identity::Identity* motion_source = nullptr;
  std::vector<std::string> styles{"toon", "pixel", "lit"};
  int num_directions = 8;                 // 1, 2, 4, 8: each clip has one of them.
  std::vector<float> pitches_deg{0, 30};  // Each clip has one of them.
  float weapon_changes = 0.3F;            // Share of clips whose weapon is not the identity's own.
  int size_px = 64, num_frames = 16;
  int num_clips = 0;  // 0: every identity with every action once.
  std::uint64_t seed = 0;
  int part = 1, num_parts = 1;  // Part 1 to num_parts: every num_parts-th clip.
  MapSet maps;
  // Told after each batch: clips of this part that are done, and all of them. False stops.
  std::function<bool(int, int)> on_progress;
};

// What one clip displays.
struct ClipPlan {
  int id = 0;
  int character = -1;  // Into characters; below 0: the identity of the traits.
  identity::Traits traits;
  int action = 0;  // Into actions, then motions; or into those of the character.
  int weapon = 0;  // Of the character: into armed.
  std::string direction, style;
  float yaw_deg = 0, pitch_deg = 0;
};
int num_dataset_clips(const DatasetOptions& options);
ClipPlan plan_clip(const DatasetOptions& options, int id);

struct DatasetReport {
  int num_done = 0, num_before = 0;  // In this run, in runs before.
  bool interrupted = false;
};

// Writes clips/000/000012.png (the reference frame, then the frames, side by side), their maps beside them, a line for
// each clip in part_1_of_1.jsonl, and dataset.json. Fails on options out of range, and on a folder with a dataset of
// other options.
Result<DatasetReport> write_dataset(const DatasetOptions& options, Executor& executor);

}  // namespace zoe::sprite
