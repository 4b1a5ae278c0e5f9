// SPDX-License-Identifier: MIT
#include "zoe/core/output_file.h"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zoe/core/file.h"

#include "support/data.h"

namespace zoe {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) { return std::string(MappedFile::open(path).value().text()); }
long num_entries(const fs::path& folder) { return std::distance(fs::directory_iterator(folder), {}); }

TEST(OutputFile, SameFileThroughLinksAndHardLinks) {
  const fs::path folder = test::temporary_dir("output_file");
  ASSERT_TRUE(write_file_atomic(folder / "a", "a"));
  ASSERT_TRUE(write_file_atomic(folder / "b", "a"));
  fs::create_symlink("a", folder / "link");
  fs::create_hard_link(folder / "a", folder / "hard");
  EXPECT_TRUE(same_file(folder / "a", folder / "a"));
  EXPECT_TRUE(same_file(folder / "a", folder / "link"));
  EXPECT_TRUE(same_file(folder / "link", folder / "hard"));
  EXPECT_TRUE(same_file(folder / "a", folder / "." / "a"));
  EXPECT_FALSE(same_file(folder / "a", folder / "b"));
  EXPECT_FALSE(same_file(folder / "a", folder / "missing"));
}

TEST(OutputFile, LinksAreFollowedAndStayLinks) {
  const fs::path folder = test::temporary_dir("output_file");
  fs::create_directory(folder / "real");
  fs::create_symlink("real/a", folder / "link");  // Its target does not exist yet.
  fs::create_symlink("link", folder / "second");
  ASSERT_TRUE(write_file_atomic(folder / "second", "first"));
  EXPECT_EQ(content(folder / "real" / "a"), "first");
  ASSERT_TRUE(write_file_atomic(folder / "second", "again"));
  EXPECT_EQ(content(folder / "real" / "a"), "again");
  EXPECT_TRUE(fs::is_symlink(folder / "second"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(num_entries(folder / "real"), 1);
  fs::create_symlink("round", folder / "round");
  const auto round = write_file_atomic(folder / "round", "x");
  ASSERT_FALSE(round);
  EXPECT_NE(round.error().message.find("symbolic links"), std::string::npos) << round.error().format();
}

TEST(OutputFile, AFullDeviceIsNoticed) {
  const fs::path folder = test::temporary_dir("output_file");
  fs::create_symlink("/dev/full", folder / "full");
  for (const fs::path& path : {fs::path("/dev/full"), folder / "full"}) {
    const auto written = write_file_atomic(path, "text");
    ASSERT_FALSE(written) << path;
    EXPECT_NE(written.error().message.find("No space left"), std::string::npos) << written.error().format();
    EXPECT_EQ(written.error().where.file, path.string());
  }
  EXPECT_TRUE(fs::is_symlink(folder / "full"));
  EXPECT_EQ(num_entries(folder), 1);
}

TEST(OutputFile, WithoutCommitNothingStays) {
  const fs::path folder = test::temporary_dir("output_file");
  ASSERT_TRUE(write_file_atomic(folder / "old.mp4", "old"));
  {
    auto staged = StagedFile::create(folder / "old.mp4");
    ASSERT_TRUE(staged);
    std::ofstream(staged->path()) << "half";
    auto deeper = StagedFile::create(folder / "new" / "er" / "a.mp4");
    ASSERT_TRUE(deeper);
    std::ofstream(deeper->path()) << "half";
  }
  EXPECT_EQ(content(folder / "old.mp4"), "old");
  EXPECT_EQ(num_entries(folder), 1);
  {
    auto staged = StagedFile::create(folder / "new" / "a.mp4");
    ASSERT_TRUE(staged);
    std::ofstream(staged->path()) << "whole";
    ASSERT_TRUE(staged->commit());
  }
  EXPECT_EQ(content(folder / "new" / "a.mp4"), "whole");
  EXPECT_EQ(num_entries(folder / "new"), 1);
}

TEST(OutputFile, FoldersAndFilesOnThePathAreNamedWithTheRemedy) {
  const fs::path folder = test::temporary_dir("output_file");
  const auto into_folder = write_file_atomic(folder, "x");
  ASSERT_FALSE(into_folder);
  EXPECT_EQ(into_folder.error().code, ErrorCode::kUsage);
  EXPECT_NE(into_folder.error().message.find("name a file in it"), std::string::npos);
  EXPECT_FALSE(write_file_atomic(folder / "", "x"));
  ASSERT_TRUE(write_file_atomic(folder / "file", "x"));
  const auto below = write_file_atomic(folder / "file" / "more" / "a.txt", "x");
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().where.file, (folder / "file").string()) << below.error().format();
  const auto read = MappedFile::open(folder);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("name a file in it"), std::string::npos);
}

TEST(OutputFile, AccessRightsStay) {
  const fs::path folder = test::temporary_dir("output_file");
  ASSERT_TRUE(write_file_atomic(folder / "a", "old"));
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0600), 0);
  ASSERT_TRUE(write_file_atomic(folder / "a", "new"));
  struct stat info {};
  ASSERT_EQ(::stat((folder / "a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600);
  if (::geteuid() == 0) return;  // Root may write everything.
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0400), 0);
  const auto refused = write_file_atomic(folder / "a", "newer");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("Permission denied"), std::string::npos);
}

}  // namespace
}  // namespace zoe
