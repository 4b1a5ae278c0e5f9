// SPDX-License-Identifier: MIT
// Part of Zoetrope. Where outputs are written: aside, through links, and never over the file that is being read.
//
//   ZOE_TRY_ASSIGN(StagedFile staged, StagedFile::create("walk.mp4"));
//   …                                    // Write to staged.path(), for example by another program.
//   ZOE_TRY(staged.commit());            // Now it is walk.mp4.
#pragma once

#include <filesystem>
#include <vector>

#include "zoe/core/result.h"

namespace zoe {

// Both names lead to one file: the same path, a link, or a hard link. False where one of them does not exist.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// The file that is written at `path`: the end of its symbolic links, which need not exist. An error where `path` is a
// folder, or a file that may not be written.
Result<std::filesystem::path> output_target(const std::filesystem::path& path);

// A file beside the target that gets the target's name by commit(). Before commit() the target is not changed. Without
// commit() nothing stays behind, not even the folders that were created. Devices and pipes are written directly.
class StagedFile {
 public:
  // Creates missing parent folders.
  static Result<StagedFile> create(const std::filesystem::path& path);

  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&& other) = delete;
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  ~StagedFile();

  // Where to write. Its extension is not the target's.
  const std::filesystem::path& path() const { return written_; }
  // Access rights for the new file: those of the file that is replaced.
  unsigned mode() const { return mode_; }
  Result<void> commit();

 private:
  StagedFile() = default;
  std::filesystem::path name_, target_, written_;   // name_: as the caller called it, for messages.
  std::vector<std::filesystem::path> new_folders_;  // Created here, the outermost first.
  unsigned mode_ = 0644;
  bool replaces_ = false;
  bool pending_ = false;
};

}  // namespace zoe
