// SPDX-License-Identifier: MIT
// The folder of a dataset while it is written: one writer at a time, and no leftover files.
#pragma once

#include <filesystem>

#include "zoe/core/lock_file.h"

#include "dataset/records.h"

namespace zoe::dataset {

// Creates the folder and its subfolders. Fails when another process writes there, and names it.
Result<LockFile> lock_folder(const std::filesystem::path& folder);

// Removes rows and records that the manifest does not name: of older builds, and of stopped builds.
void remove_leftovers(const std::filesystem::path& folder, const Manifest& manifest);

// True if every array of the record exists, with its number of rows and its checksum.
bool is_complete(const std::filesystem::path& folder, const BucketRecord& record,
                 std::span<const features::Layout> layouts);

}  // namespace zoe::dataset
