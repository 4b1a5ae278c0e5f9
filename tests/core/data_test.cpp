// SPDX-License-Identifier: MIT
// The count of the shared data by folder: notices what is missing, lets the data grow.
#include "support/data.h"

#include <fstream>

#include <gtest/gtest.h>

namespace zoe::test {
namespace {

TEST(DataCounts, MissingFilesAreNamedByFolder) {
  const auto data = temporary_dir("counts");
  for (const char* name : {"a/1.bvh", "a/2.bvh", "a/3.txt", "a/below/4.bvh", "new/5.bvh"}) {
    std::filesystem::create_directories((data / name).parent_path());
    std::ofstream(data / name) << "x";
  }
  const auto files = files_below(data, ".bvh");
  EXPECT_EQ(files.size(), 4U);
  constexpr FolderCount kThere[] = {{"a", 2}, {"a/below", 1}};
  EXPECT_EQ(missing_files(data, files, kThere), "");
  constexpr FolderCount kMore[] = {{"a", 3}, {"a/below", 1}, {"gone", 1}};
  EXPECT_EQ(missing_files(data, files, kMore), "a: 2 of 3\ngone: 0 of 1\n");
}

}  // namespace
}  // namespace zoe::test
