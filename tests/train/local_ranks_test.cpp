// SPDX-License-Identifier: MIT
// Copies of this program as ranks: what each is given, and what becomes of those that fail. The variables of launchers
// one by one.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include "zoe/train/ranks.h"

#include "support/data.h"

namespace zoe::train {
namespace {

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

// What a copy runs: writes down what it was given, and ends as it is asked to.
TEST(LocalRanksChild, DISABLED_WritesItsRank) {
  const std::string folder = variable("ZOE_TEST_RANKS");
  ASSERT_FALSE(folder.empty());
  std::ofstream(folder + "/rank" + variable("RANK"))
      << variable("RANK") << " " << variable("WORLD_SIZE") << " " << variable("LOCAL_RANK") << " "
      << variable("LOCAL_WORLD_SIZE") << " " << variable("MASTER_ADDR") << " " << variable("MASTER_PORT");
  if (variable("ZOE_TEST_FAIL") == variable("RANK")) std::_Exit(7);
  if (variable("ZOE_TEST_CRASH") == variable("RANK")) std::raise(SIGKILL);
  std::_Exit(0);
}

int run_copies(int count, const std::filesystem::path& folder, const char* fail = "", const char* crash = "") {
  ::setenv("ZOE_TEST_RANKS", folder.c_str(), 1);
  ::setenv("ZOE_TEST_FAIL", fail, 1);
  ::setenv("ZOE_TEST_CRASH", crash, 1);
  const int code = run_local_ranks(
      count, {"test_train", "--gtest_filter=LocalRanksChild.*", "--gtest_also_run_disabled_tests", "--gtest_brief=1"});
  for (const char* name : {"ZOE_TEST_RANKS", "ZOE_TEST_FAIL", "ZOE_TEST_CRASH"}) ::unsetenv(name);
  ::alarm(0);  // Set for those that outlast a failure.
  return code;
}

TEST(LocalRanks, EachHasItsNumberAndAllMeetAtOnePlace) {
  const auto folder = zoe::test::temporary_dir("local_ranks");
  EXPECT_EQ(run_copies(3, folder), 0);
  std::set<std::string> ports;
  for (int rank = 0; rank < 3; ++rank) {
    std::ifstream file(folder / ("rank" + std::to_string(rank)));
    int own = -1, size = 0, local = -1, local_size = 0;
    std::string host, port;
    ASSERT_TRUE(file >> own >> size >> local >> local_size >> host >> port) << rank;
    EXPECT_EQ(own, rank);
    EXPECT_EQ(local, rank);
    EXPECT_EQ(size, 3);
    EXPECT_EQ(local_size, 3);
    EXPECT_EQ(host, "127.0.0.1");
    ports.insert(port);
  }
  EXPECT_EQ(ports.size(), 1U);
}

TEST(LocalRanks, TheFirstFailureIsTheExitCode) {
  EXPECT_EQ(run_copies(2, zoe::test::temporary_dir("local_ranks_fail"), "1"), 7);
  EXPECT_EQ(run_copies(2, zoe::test::temporary_dir("local_ranks_crash"), "", "0"), 128 + SIGKILL);
}

// All of these gone, then some set.
void set_only(const std::vector<std::pair<const char*, const char*>>& variables) {
  for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "SLURM_PROCID",
                           "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_STEP_ID", "SLURM_JOB_NODELIST",
                           "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"}) {
    ::unsetenv(name);
  }
  for (const auto& [name, value] : variables) ::setenv(name, value, 1);
}

TEST(RankVariables, DefaultsAndHalves) {
  set_only({});
  const Ranks alone = ranks_from_environment().value();
  EXPECT_EQ(alone.rank, 0);
  EXPECT_EQ(alone.size, 1);
  EXPECT_EQ(alone.host, "127.0.0.1");
  EXPECT_EQ(alone.port, 29500);
  set_only({{"RANK", "3"}});  // No size: no launcher.
  EXPECT_EQ(ranks_from_environment()->size, 1);
  set_only({{"RANK", ""}, {"WORLD_SIZE", ""}});
  EXPECT_EQ(ranks_from_environment()->size, 1);
  set_only({{"RANK", "1"}, {"WORLD_SIZE", "2"}});  // No local rank: the first GPU.
  EXPECT_EQ(ranks_from_environment()->local_rank, 0);
  set_only({});
}

TEST(RankVariables, TorchrunComesBeforeSlurm) {
  set_only({{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "9"}, {"SLURM_STEP_ID", "0"}});
  EXPECT_EQ(ranks_from_environment()->rank, 1);
  // A batch script before srun is no rank.
  set_only({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "9"}});
  EXPECT_EQ(ranks_from_environment()->size, 1);
  set_only({});
}

TEST(RankVariables, ContradictionsNameTheVariables) {
  set_only({{"RANK", "-1"}, {"WORLD_SIZE", "2"}});
  EXPECT_EQ(ranks_from_environment().error().message,
            "RANK = -1 and WORLD_SIZE = 2: ranks count from 0 to the size less one");
  set_only({{"RANK", "0"}, {"WORLD_SIZE", "0"}});
  EXPECT_FALSE(ranks_from_environment());
  set_only({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "80a"}});
  EXPECT_EQ(ranks_from_environment().error().message, "the environment variable MASTER_PORT = '80a' is no number");
  set_only({});
}

}  // namespace
}  // namespace zoe::train
