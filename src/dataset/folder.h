// SPDX-License-Identifier: MIT
// The folder of a dataset while it is written: one writer at a time, and no leftover files.
#pragma once

#include <filesystem>

#include "dataset/records.h"

namespace zoe::dataset {

// Held during the lifetime of the object. The system releases it when the process dies.
class FolderLock {
 public:
  // Creates the folder and its subfolders. Fails when another process writes there.
  static Result<FolderLock> take(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_;
};

// Removes rows and records that the manifest does not name: of older builds, and of stopped builds.
void remove_leftovers(const std::filesystem::path& folder, const Manifest& manifest);

// True if every array of the record exists with its number of rows.
bool is_complete(const std::filesystem::path& folder, const BucketRecord& record,
                 std::span<const features::Layout> layouts);

}  // namespace zoe::dataset
