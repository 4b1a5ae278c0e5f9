// SPDX-License-Identifier: MIT
#include "zoe/core/lock_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/data.h"

namespace zoe {
namespace {

namespace fs = std::filesystem;

TEST(LockFile, HasOneOwnerWhoIsNamedAndIsRemoved) {
  const fs::path folder = test::temporary_dir("lock_file"), path = folder / "run.lock";
  {
    const auto lock = LockFile::take(path, "run");
    ASSERT_TRUE(lock) << lock.error().format();
    const auto second = LockFile::take(path, "run");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::kIo);
    EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid()) + " on "), std::string::npos)
        << second.error().format();
    EXPECT_EQ(second.error().where.file, "run");
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(LockFile::take(path, "run"));
}

// The file of a killed process is no obstacle.
TEST(LockFile, OfAKilledProcessIsFree) {
  const fs::path path = test::temporary_dir("lock_killed") / "run.lock";
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = LockFile::take(path, "run");
    ::kill(::getpid(), lock ? SIGKILL : SIGTERM);
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  ASSERT_TRUE(fs::exists(path));
  EXPECT_TRUE(LockFile::take(path, "run"));
}

TEST(LockFile, InAMissingFolderIsAnError) {
  const auto lock = LockFile::take("/nowhere/run.lock", "run");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace zoe
