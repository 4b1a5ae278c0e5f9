// SPDX-License-Identifier: MIT
#include "zoe/core/file.h"

#include <gtest/gtest.h>

#include "support/data.h"

namespace zoe {
namespace {

TEST(File, WritesAtomicallyAndMapsBack) {
  const auto folder = test::temporary_dir("file");
  const auto path = folder / "new" / "a.txt";
  ASSERT_TRUE(write_file_atomic(path, "first"));
  ASSERT_TRUE(write_file_atomic(path, "second"));
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->text(), "second");
  // No temporary file stays behind.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "new"), {}), 1);
}

TEST(File, EmptyFileMapsToNothing) {
  const auto path = test::temporary_dir("file") / "empty";
  ASSERT_TRUE(write_file_atomic(path, ""));
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped);
  EXPECT_TRUE(mapped->bytes().empty());
}

TEST(File, RefusalsNameTheFile) {
  const auto missing = MappedFile::open("does/not/exist.bvh");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
  EXPECT_NE(missing.error().format().find("does/not/exist.bvh"), std::string::npos);
  EXPECT_FALSE(MappedFile::open(test::temporary_dir("file")));  // A folder.
  EXPECT_FALSE(write_file_atomic("/proc/nothing/x", "a"));
}

}  // namespace
}  // namespace zoe
