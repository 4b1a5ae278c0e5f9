// SPDX-License-Identifier: MIT
// Part of Zoetrope. A dataset folder (`zoe dataset build`) as training samples.
#pragma once

#include <filesystem>
#include <memory>

#include "zoe/train/batch_source.h"

namespace zoe::train {

// Fields `x` and `y`, its layout's input and output, and `condition` where it has one (`phase` when that is one
// number), as [steps, width] in metres and seconds, with the dataset's own normalisation. Takes the group with the most
// training samples; `warnings` name the others. A folder of tracks is opened by track_source.h.
Result<std::unique_ptr<BatchSource>> open_dataset_source(const std::filesystem::path& folder, Warnings& warnings);

}  // namespace zoe::train
