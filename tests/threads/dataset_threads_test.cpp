// SPDX-License-Identifier: MIT
// A dataset built by several threads holds the bytes of one thread's.
#include <gtest/gtest.h>

#include "dataset/figures.h"

namespace zoe::dataset {
namespace {

BuildOptions options_for(const std::filesystem::path& folder, const char* name, int num_jobs) {
  BuildOptions options = test::build_options(folder, test::temporary_dir(name));
  options.mirror = true;
  options.num_jobs = num_jobs;
  return options;
}

TEST(DatasetThreads, FourThreadsBuildTheBytesOfOne) {
  const auto folder = test::walk_folder("threads_walks", 6);
  const BuildOptions one = options_for(folder, "threads_one", 1), four = options_for(folder, "threads_four", 4);
  ASSERT_TRUE(build(one));
  ASSERT_TRUE(build(four));
  EXPECT_EQ(test::difference(one.output, four.output), "");
}

}  // namespace
}  // namespace zoe::dataset
