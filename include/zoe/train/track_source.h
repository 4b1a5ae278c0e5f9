// SPDX-License-Identifier: MIT
// Part of Zoetrope. Tracks (zoe/features/tracks.h) as training samples: windows of consecutive frames.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "zoe/train/batch_source.h"

namespace zoe::train {

// All samples are for training: such models memorise their data, so nothing is held out. Statistics are the tracks'
// own, each frame counted once.
Result<std::unique_ptr<BatchSource>> open_track_source(const std::filesystem::path& folder);

}  // namespace zoe::train
