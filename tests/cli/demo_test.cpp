// SPDX-License-Identifier: MIT
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/run_zoe.h"
#include "support/data.h"

namespace zoe::test {
namespace {

TEST(Demo, LeavesTheFilesItNames) {
  const auto folder = temporary_dir("demo") / "clips";
  const ZoeRun run = run_zoe({"demo", "formats", "--out", folder});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  for (const char* name : {"walk.bvh", "walk.glb", "walk.npz", "walk.obj"}) {
    EXPECT_NE(run.out.find(name), std::string::npos) << run.out;
    EXPECT_TRUE(std::filesystem::file_size(folder / name) > 1000) << name;
  }
}

TEST(Demo, NeedsNoFolder) {
  const ZoeRun run = run_zoe({"demo", "formats"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(Demo, SaysWhereItCannotWrite) {
  const ZoeRun run = run_zoe({"demo", "formats", "--out", "/proc/no/such/folder"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("/proc/no/such/folder"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace zoe::test
