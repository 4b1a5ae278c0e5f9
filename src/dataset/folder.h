// SPDX-License-Identifier: MIT
// A dataset's folder while it is written: one writer at a time, and nothing left over.
#pragma once

#include <filesystem>

#include "dataset/records.h"

namespace zoe::dataset {

// Held until the object goes; the system lets go of it when the process dies.
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

// Rows and records that the manifest does not name: of older builds, and of builds that were
// stopped.
void remove_leftovers(const std::filesystem::path& folder, const Manifest& manifest);

// Every array that the record names is there, with as many rows.
bool is_complete(const std::filesystem::path& folder, const BucketRecord& record,
                 std::span<const features::Layout> layouts);

}  // namespace zoe::dataset
