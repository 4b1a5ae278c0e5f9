// SPDX-License-Identifier: MIT
// Part of Zoetrope. Inputs and settings of a dataset build, and its report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/dataset/clip_file.h"
#include "zoe/features/schema.h"
#include "zoe/motion/motion.h"

namespace zoe::dataset {

struct SplitOptions {
  // The unit that is never split: everything of one clip, of one actor, of one skeleton, or of one species.
  enum class By : std::uint8_t { kClip, kActor, kSkeleton, kSpecies } by = By::kClip;
  double validation = 0.1,
         test = 0.1;  // Fractions, by hash: the split of a clip does not depend on the others.
};

// Treatment of skeletons that differ in joints.
enum class Skeletons : std::uint8_t {
  // One group per skeleton. Files with all joints of the most frequent one and more are mapped onto it. Those that lack
  // a joint on one side only are damaged and excluded.
  kAuto,
  kMain,  // Only the skeleton of most files; others are excluded.
  kEach,  // One group per skeleton, with its own layout and arrays.
};

// Part `index` of `count` of the work. (0, 1) is all of it.
struct Shard {
  int index = 0, count = 1;
};

// Numbers of a "signal" channel of the schema for one clip, [motion's frames × width].
struct ClipSignal {
  std::string name;
  std::vector<float> values;
};
// Computes them from a clip as it goes into the rows: metres, mirrored or not. Called from any thread. A clip on which
// it fails is excluded.
struct ClipOrigin {
  const std::string& source;  // As ClipFile::source.
  int clip_index = 0;         // In its file.
  bool mirrored = false;
};
struct SignalMaker {
  std::function<Result<std::vector<ClipSignal>>(const Motion& motion)> make;  // Empty: none.
  std::string key;  // Identifies the maker: rows of another key are not reused.
  // Instead of `make`, for signals that depend on where a clip comes from. `motion` may be a piece of the clip: its
  // start_time_s says which. Empty: none.
  std::function<Result<std::vector<ClipSignal>>(const Motion& motion, const ClipOrigin& origin)> make_for;
};

struct BuildOptions {
  std::vector<std::filesystem::path> inputs;  // Folders, searched recursively, or files.
  std::span<const ClipFile> files;            // Further files, in memory. The caller keeps them until the end.
  std::filesystem::path output;
  features::Schema schema;
  bool mirror = false;  // Adds a mirrored copy of every clip, in the same split.
  SplitOptions split;
  Skeletons skeletons = Skeletons::kAuto;
  std::vector<std::string>
      labels;                    // Words to look for in paths and label files, beside the schema's styles and actions.
  bool find_actions = false;     // Detects labels in the motion where there is no label file.
  double min_seconds = 0.5;      // Shorter clips, and shorter pieces of clips, are excluded.
  bool keep_duplicates = false;  // True: files of equal bytes are all taken. Else only the first.
  char bvh_up = 'y';
  std::string licence;  // Licence of the motions. Empty: the first line of a LICENSE file in an input folder.
  SignalMaker signals;
  Shard shard;
  int num_jobs = 0;                                                          // Threads. 0: one per processor.
  std::function<void(std::uint64_t done, std::uint64_t total)> on_progress;  // Counts files. Called from any thread.
};

struct BuildReport {
  int num_files = 0;
  int num_reused_files = 0;  // Their rows were there already.
  int num_clips = 0, num_mirrored = 0, num_repaired = 0,
      num_left_out = 0;  // num_clips includes mirrored ones.
  double hours = 0;      // Hours of rows, mirrored ones included.
  Warnings warnings;
};

}  // namespace zoe::dataset
