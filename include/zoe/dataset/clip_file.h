// SPDX-License-Identifier: MIT
// Part of Zoetrope. Motion files that were read already, on their way into a dataset.
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
  std::filesystem::path path;  // Where it was read; need not exist any more.
  std::string source;          // As manifests name it: the input folder's name and the path below it, with '/'.
  std::string relative;  // The path below the input folder, without extension: splits, actors and labels follow it.
  std::vector<std::filesystem::path> label_files;  // Beside it, by their names.
  io::Asset asset;
  Hash128 content;              // Of the file's bytes, or content_of() clips that were changed.
  std::uint64_t bytes = 0;      // Of the file.
  std::optional<Note> problem;  // Why there is no asset.
};

// A hash of skeleton and clips: rows of changed clips are built anew.
Hash128 content_of(const io::Asset& asset);

}  // namespace zoe::dataset
