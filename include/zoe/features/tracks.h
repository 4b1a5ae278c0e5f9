// SPDX-License-Identifier: MIT
// Part of Zoetrope. Tracks: numbers per frame for the training of a model without a layout. One file,
// tracks.safetensors, holds a float32 array [frames, width] per field, `track_lengths` (int32, [tracks]; frames of one
// track after the other), and the metadata "steps", the frames of a window. A sample is a window within a track.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/store/safetensors.h"

namespace zoe::features {

constexpr const char* kTrackFile = "tracks.safetensors";

struct TrackField {
  std::string name;
  int width = 0;
  std::span<const float> values;  // [frames of all tracks × width]
};

// Creates the folder. `metadata` is copied into the file.
Result<void> write_tracks(const std::filesystem::path& folder, std::span<const TrackField> fields,
                          std::span<const std::int32_t> track_lengths, int steps, Metadata metadata = {});

// Mapped. Fields are spans into the file.
struct TrackFile {
  Safetensors file;
  int steps = 0;
  std::vector<std::int64_t> track_lengths;
  std::vector<TrackField> fields;
};
// Checks every size. Errors name the file.
Result<TrackFile> read_tracks(const std::filesystem::path& folder);

}  // namespace zoe::features
