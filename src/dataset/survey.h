// SPDX-License-Identifier: MIT
// The first pass over every input file: its hash and its skeleton.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/core/hash.h"
#include "zoe/core/thread_pool.h"
#include "zoe/dataset/build_options.h"
#include "zoe/dataset/manifest.h"
#include "zoe/io/read.h"

namespace zoe::dataset {

struct SurveyedFile {
  std::filesystem::path path;
  std::string source;    // The input folder's name and the path below it, with '/'.
  std::string relative;  // The path below the input folder, without extension.
  std::uintmax_t bytes = 0;
  Hash128 content;
  Hash128 labels;        // Of the label files.
  SkeletonPtr skeleton;  // As read, without end sites unless requested; null where the file cannot be read.
  double span = 0;       // Sum of its bones' rest lengths, in the file's unit as read.
  bool unit_stated = false;
  std::vector<std::filesystem::path> label_files;  // Label files beside it, found by name.
  std::optional<Note> problem;
  const ClipFile* held = nullptr;  // The file in memory, or null.
};

// All files of all inputs and those in memory, sorted by source, each path once. Fails on an input that does not exist.
// Warns of label files without a motion file.
Result<std::vector<SurveyedFile>> list_files(std::span<const std::filesystem::path> inputs,
                                             std::span<const ClipFile> held, Warnings& warnings);

// Fills in all fields from `bytes` on.
void survey_file(SurveyedFile& file, const io::ReadOptions& read, bool end_sites);

// The whole file: from memory where possible, else from disk.
Result<io::Asset> read_whole(const SurveyedFile& file, const io::ReadOptions& read);

// A note with the reason why a file could not be read.
Note unreadable(const Error& error);

// Sum of rest lengths of the bones whose joint is named in `names`; of all where it is null.
double bone_span(const Skeleton& skeleton, const Skeleton* names = nullptr);

}  // namespace zoe::dataset
