// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Where the shared data set is.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zoe::test {

// The folder shared/data: $ZOE_DATA, else ../shared/data beside the checkout; nullopt when absent.
std::optional<std::filesystem::path> data_dir();

// Files below a folder that end in one of these extensions (lower case, with the dot), sorted.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               std::span<const std::string_view> extensions);
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, std::string_view extension);

// How many files a folder of the shared data holds, folders below it not counted.
struct FolderCount {
  const char* folder;  // Relative to the shared data.
  int at_least;
};

// What `files` lack beside the table, one line a folder; empty when all are there. The data set grows: folders that the
// table does not name, and further files in those it does, are no difference.
std::string missing_files(const std::filesystem::path& data, std::span<const std::filesystem::path> files,
                          std::span<const FolderCount> expected);

// A fresh folder below the system's temporary folder, removed at process exit.
std::filesystem::path temporary_dir(const std::string& name);

}  // namespace zoe::test

// First line of a test that needs the shared data: binds `name` to the folder, or skips with a clear word.
#define ZOE_NEED_DATA(name)                                                                              \
  const auto name##_optional = ::zoe::test::data_dir();                                                  \
  if (!name##_optional) GTEST_SKIP() << "shared data is absent: set ZOE_DATA to the shared/data folder"; \
  const std::filesystem::path& name = *name##_optional
