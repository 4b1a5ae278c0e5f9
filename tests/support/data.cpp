// SPDX-License-Identifier: MIT
#include "support/data.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include <unistd.h>

namespace zoe::test {
namespace fs = std::filesystem;

std::optional<fs::path> data_dir() {
  if (const char* path = std::getenv("ZOE_DATA"); path != nullptr && *path != '\0') {
    return fs::is_directory(path) ? std::optional<fs::path>(path) : std::nullopt;
  }
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const fs::path beside = fs::path(source != nullptr ? source : ".") / ".." / "shared" / "data";
  return fs::is_directory(beside) ? std::optional<fs::path>(fs::weakly_canonical(beside)) : std::nullopt;
}

std::vector<fs::path> files_below(const fs::path& folder, std::span<const std::string_view> extensions) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string extension = entry.path().extension().string();
    if (std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> files_below(const fs::path& folder, std::string_view extension) {
  return files_below(folder, {&extension, 1});
}

std::string missing_files(const fs::path& data, std::span<const fs::path> files,
                          std::span<const FolderCount> expected) {
  std::map<std::string, int> found;
  for (const fs::path& file : files) ++found[file.parent_path().lexically_relative(data).generic_string()];
  std::string missing;
  for (const FolderCount& row : expected) {
    const int count = found[row.folder];
    if (count >= row.at_least) continue;
    missing += std::string(row.folder) + ": " + std::to_string(count) + " of " + std::to_string(row.at_least) + "\n";
  }
  return missing;
}

namespace {
struct Cleaner {
  std::vector<fs::path> folders;
  ~Cleaner() {
    std::error_code ignored;
    for (const fs::path& folder : folders) fs::remove_all(folder, ignored);
  }
};
}  // namespace

fs::path temporary_dir(const std::string& name) {
  static Cleaner cleaner;
  static int counter = 0;
  const fs::path folder = fs::temp_directory_path() /
                          ("zoe_test_" + name + "_" + std::to_string(::getpid()) + "_" + std::to_string(counter++));
  fs::create_directories(folder);
  cleaner.folders.push_back(folder);
  return folder;
}

}  // namespace zoe::test
