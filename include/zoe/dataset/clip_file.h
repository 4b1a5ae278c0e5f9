// SPDX-License-Identifier: MIT
// Part of Zoetrope. Motion files in memory, as input of a dataset.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/hash.h"
#include "zoe/dataset/manifest.h"
#include "zoe/io/read.h"

namespace zoe::dataset {

struct ClipFile {
  std::filesystem::path path;  // Source of the file. It need not exist any more.
  std::string source;          // Name in manifests: the input folder's name and the path below it, with '/'.
  std::string relative;    // Path below the input folder, without extension. Splits, actors and labels derive from it.
  std::string split_with;  // Clips of files with the same text are never split. Empty: `relative`.
  std::vector<std::filesystem::path> label_files;  // Label files beside the motion file, found by name.
  io::Asset asset;
  Hash128 content;              // Hash of the file's bytes, or content_of() for clips that were changed.
  std::uint64_t bytes = 0;      // Size of the file.
  std::optional<Note> problem;  // The reason of a missing asset.
};

// Hash of skeleton and clips. Rows of changed clips are built again.
Hash128 content_of(const io::Asset& asset);

}  // namespace zoe::dataset
