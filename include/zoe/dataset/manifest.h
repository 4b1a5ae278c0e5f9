// SPDX-License-Identifier: MIT
// Part of Zoetrope. The content of dataset.json: the source of every row, and the repairs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::dataset {

enum class Split : std::uint8_t { kTrain, kValidation, kTest };
constexpr std::size_t kNumSplits = 3;
const char* to_string(Split split);  // "train", "validation", "test".
Result<Split> parse_split(std::string_view word);

// A reason: a code for programs and a sentence for people. docs/dataset.md lists the codes.
struct Note {
  std::string code;
  std::string text;

  friend bool operator==(const Note&, const Note&) = default;
};

// A run of rows in one of the dataset's .npy files, and their clip.
struct ClipRecord {
  std::string source;  // "FOLDER/below/walk.bvh": the folder's name and the path below it.
  std::string name;    // Of the clip inside its file.
  int clip_index = 0;  // Inside its file.
  int part = 0;        // Of a clip that was cut, from 0.
  bool mirrored = false;
  std::string key;      // Hash of everything that the rows depend on.
  std::string content;  // Hash of the source file.
  int group = 0;        // Index into the dataset's groups.
  std::string body;     // Hash of the bone lengths: clips of one body have equal ones.
  std::string actor;
  std::vector<std::string> labels;
  std::vector<float> label_shares;  // [labels] Fraction of the clip's frames; 1: all.
  // [labels] Rows in which each label holds, within the clip: first, one past the last, first, …; rising. Empty for a
  // label that holds throughout.
  std::vector<std::vector<int>> label_rows;
  Split split = Split::kTrain;
  double source_fps = 0;
  int source_frames = 0;
  double metres_per_unit = 1;  // Factor applied to the file's lengths.
  float mean_speed_m_s = 0;    // Of the root on the ground.
  float contact_ratio = -1;    // Fraction of frames and feet in contact. -1: the body has no feet.

  std::string file;  // Below the dataset's folder.
  std::int64_t first_row = 0;
  int num_rows = 0;
  std::vector<Note> repairs;
};

// A clip, or a whole file, that is not in the dataset.
struct LeftOut {
  std::string source, name;
  int clip_index = -1;  // -1: the whole file.
  int part = 0;
  std::string key;
  Note reason;
};

}  // namespace zoe::dataset
