// SPDX-License-Identifier: MIT
#include "support/data.h"

#include <cstdlib>
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
