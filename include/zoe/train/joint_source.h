// SPDX-License-Identifier: MIT
// Part of Zoetrope. A dataset folder as ragged samples: windows of motions of all its skeletons, a token for each joint
// of each frame. Several skeletons share a batch.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "zoe/train/batch_source.h"

namespace zoe::train {

struct JointWindows {
  int min_frames = 16, max_frames = 64;  // Clips shorter than max_frames give one shorter window.
  // Of open_body_source() alone:
  int variants = 0;            // Altered bodies for each skeleton, in training.
  std::string bodies = "all";  // Which skeletons: all, bipeds, quadrupeds, millipeds_snakes, flying.
  std::uint64_t seed = 1;      // Of the variants.
};

// Fields `x`, the numbers of the layout's joint channels (metres, seconds), and `mask`. Every skeleton group takes part
// whose channels have as many numbers per joint as the first group's; `warnings` name the others.
Result<std::unique_ptr<BatchSource>> open_joint_source(const std::filesystem::path& folder, const JointWindows& windows,
                                                       Warnings& warnings);

}  // namespace zoe::train
