// SPDX-License-Identifier: MIT
// Part of Zoetrope. One writer at a time: a file that is locked during the lifetime of an object and names its owner.
//
//   ZOE_TRY_ASSIGN(const LockFile lock, LockFile::take("run.lock", "run"));
#pragma once

#include <filesystem>
#include <string>

#include "zoe/core/result.h"

namespace zoe {

// The system releases the lock when the process dies, however it dies. Processes on other machines are seen where the
// file system forwards flock() (NFS does).
class LockFile {
 public:
  // Creates the file. Fails (kIo) where another process holds it, with its number and machine. `subject`: the file or
  // folder that the error names.
  static Result<LockFile> take(const std::filesystem::path& path, const std::filesystem::path& subject);
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;
  // Removes the file.
  ~LockFile();

 private:
  LockFile(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
  int fd_;
  std::filesystem::path path_;
};

}  // namespace zoe
