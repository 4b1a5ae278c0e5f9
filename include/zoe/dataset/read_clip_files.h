// SPDX-License-Identifier: MIT
// Part of Zoetrope. Reads folders of motion files once, for processing before a dataset is built.
//
//   auto files = read_clip_files(folders, {.bvh_up = 'y'}, warnings);
//   …  // For example, retarget every clip to one body.
//   build({.output = "dataset", .schema = schema, .files = *files});
#pragma once

#include "zoe/dataset/clip_file.h"

namespace zoe::dataset {

// Reads all motion files of all inputs (files, or folders with their subfolders), sorted by source. Fails on an input
// that does not exist. Unreadable files are in the result with their problem. Warns of label files without a motion
// file.
Result<std::vector<ClipFile>> read_clip_files(std::span<const std::filesystem::path> inputs,
                                              const io::ReadOptions& options, Warnings& warnings);

// The same files without their content, for work that holds one file at a time.
Result<std::vector<ClipFile>> list_clip_files(std::span<const std::filesystem::path> inputs, Warnings& warnings);

// What identifies the motion files of all inputs and the labels beside them: names below the inputs, and bytes.
struct InputIdentity {
  std::size_t num_files = 0;
  std::uint64_t bytes = 0;
  Hash128 content;
};
Result<InputIdentity> identify_inputs(std::span<const std::filesystem::path> inputs);

// First line of a LICENSE file in one of the folders. Empty: there is none.
std::string find_licence(std::span<const std::filesystem::path> inputs);

}  // namespace zoe::dataset
