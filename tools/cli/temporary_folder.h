// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Temporary space of a verb.
#pragma once

#include <filesystem>
#include <utility>

#include "zoe/core/result.h"

namespace zoe::cli {

// A temporary folder. Removed with this object.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace zoe::cli
