// SPDX-License-Identifier: MIT
// Part of Zoetrope. Settings and report of a conversion.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/io/read.h"

namespace zoe::io {

struct ConvertOptions {
  std::string clip;              // Index or name of a single clip. Empty: all that the target format can hold.
  std::optional<double> time_s;  // Only the pose at this time of the file's own clock.
  double fps = 0;                // Resamples clips to this rate. 0: keeps the rate.
  std::filesystem::path
      character;  // File of the rig and meshes for the clips, matched by joint names. Empty: the file's own.
  // Multiplies all lengths. Empty: 1. A file that states no unit (BVH) then becomes metres, by its reader's estimate,
  // where the output is glTF or another file's character. A warning says so.
  std::optional<double> scale;
  char up = 'y';  // Up axis of the output, 'y' or 'z'.
  ReadOptions read;
  // Edits the selected clips before they are put on another character or into another space: mirroring, cleaning,
  // cutting. Called from worker threads when a folder is converted. Null: none.
  std::function<Result<void>(Asset&)> edit;
};

struct ConvertReport {
  std::vector<std::filesystem::path> written;
  Warnings warnings;  // Warnings of reading and writing.
  int num_clips = 0;
  int num_frames = 0;
};

}  // namespace zoe::io
