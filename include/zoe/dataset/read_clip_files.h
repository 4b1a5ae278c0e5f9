// SPDX-License-Identifier: MIT
// Part of Zoetrope. Reads folders of motion files once, for what is done to clips before a dataset is built of them.
//
//   auto files = read_clip_files(folders, {.bvh_up = 'y'}, warnings);
//   …  // Put every clip onto one body, say.
//   build({.output = "dataset", .schema = schema, .files = *files});
#pragma once

#include "zoe/dataset/clip_file.h"

namespace zoe::dataset {

// All motion files of all inputs (folders, searched to the bottom, or files), read once, sorted by source. Fails on an
// input that does not exist. Files that cannot be read are there with their problem. Warns of label files that are
// beside no motion file.
Result<std::vector<ClipFile>> read_clip_files(std::span<const std::filesystem::path> inputs,
                                              const io::ReadOptions& options, Warnings& warnings);

// The first line of a LICENSE file in one of the folders; empty: there is none.
std::string find_licence(std::span<const std::filesystem::path> inputs);

}  // namespace zoe::dataset
