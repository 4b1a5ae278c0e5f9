// SPDX-License-Identifier: MIT
// Part of Zoetrope. Tracks as samples to train on: numbers of frames that follow each other, read
// in windows.
//
// A folder with tracks.safetensors: one float32 array [frames, width] a field, `track_lengths`
// (int32, [tracks]: the frames are those of one track after the other), and the word "steps": the
// frames of a window. A sample is a window that lies within a track.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "zoe/train/batch_source.h"

namespace zoe::train {

constexpr const char* kTrackFile = "tracks.safetensors";

// All samples are for training: such models learn their data by heart, so nothing is held back.
// Statistics are the tracks' own, each frame counted once.
Result<std::unique_ptr<BatchSource>> open_track_source(const std::filesystem::path& folder);

}  // namespace zoe::train
