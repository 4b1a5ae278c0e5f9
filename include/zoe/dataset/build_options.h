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
  // What stays together: everything made of one clip, of one actor, or of one skeleton.
  enum class By : std::uint8_t { kClip, kActor, kSkeleton } by = By::kClip;
  double validation = 0.1,
         test = 0.1;  // Shares, by hash: a clip's place does not depend on the others.
};

// What to do with skeletons that differ in joints.
enum class Skeletons : std::uint8_t {
  kAuto,  // A group each. Files with all joints of the most frequent one and more are put onto it;
          // those that lack a joint on one side only are damaged and left out.
  kMain,  // Take the one that most files have; leave the others out.
  kEach,  // A group each, with its own layout and arrays.
};

// Part `index` of `count` of the work; (0, 1) is all of it.
struct Shard {
  int index = 0, count = 1;
};

// Numbers of a "signal" channel of the schema for one clip, [motion's frames × width].
struct ClipSignal {
  std::string name;
  std::vector<float> values;
};
// Makes them of a clip as it goes into the rows: metres, mirrored or not. Called from any thread; a
// clip that it fails on is left out.
struct SignalMaker {
  std::function<Result<std::vector<ClipSignal>>(const Motion& motion)> make;  // Empty: none.
  std::string key;  // Tells makers apart: rows of another one are not reused.
};

struct BuildOptions {
  std::vector<std::filesystem::path> inputs;  // Folders, searched to the bottom, or files.
  std::span<const ClipFile> files;  // Beside them: files that were read already. Kept by the caller until the end.
  std::filesystem::path output;
  features::Schema schema;
  bool mirror = false;  // Adds a mirrored copy of every clip, in the same split.
  SplitOptions split;
  Skeletons skeletons = Skeletons::kAuto;
  std::vector<std::string>
      labels;                    // Beside the schema's styles and actions: words to look for in paths and label files.
  bool find_actions = false;     // Labels by what the motion shows, where no label file says otherwise.
  double min_seconds = 0.5;      // Shorter clips, and shorter pieces of clips, are left out.
  bool keep_duplicates = false;  // Files of equal bytes: else only the first is taken.
  char bvh_up = 'y';
  std::string licence;  // Of the motions; empty: the first line of a LICENSE file in an input folder.
  SignalMaker signals;
  Shard shard;
  int num_jobs = 0;                                                          // Threads; 0: as many as the machine has.
  std::function<void(std::uint64_t done, std::uint64_t total)> on_progress;  // Files; from any thread.
};

struct BuildReport {
  int num_files = 0;
  int num_reused_files = 0;  // Their rows were there already.
  int num_clips = 0, num_mirrored = 0, num_repaired = 0,
      num_left_out = 0;  // num_clips includes mirrored ones.
  double hours = 0;      // Of rows, mirrored ones included.
  Warnings warnings;
};

}  // namespace zoe::dataset
