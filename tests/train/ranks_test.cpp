// SPDX-License-Identifier: MIT
#include "zoe/train/ranks.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace zoe::train {
namespace {

// Variables of all launchers gone, then these set; gone again at the end.
class Environment {
 public:
  explicit Environment(const std::vector<std::pair<const char*, const char*>>& variables) {
    clear();
    for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  }
  ~Environment() { clear(); }

 private:
  static void clear() {
    for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "SLURM_PROCID",
                             "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_STEP_ID", "SLURM_JOB_NODELIST",
                             "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"}) {
      ::unsetenv(name);
    }
  }
};

TEST(Ranks, OneWithoutALauncher) {
  const Environment environment({});
  EXPECT_EQ(ranks_from_environment()->size, 1);
}

TEST(Ranks, Torchrun) {
  const Environment environment(
      {{"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "10.0.0.3"}, {"MASTER_PORT", "1234"}});
  const auto ranks = ranks_from_environment();
  ASSERT_TRUE(ranks);
  EXPECT_EQ(ranks->rank, 5);
  EXPECT_EQ(ranks->size, 8);
  EXPECT_EQ(ranks->local_rank, 1);
  EXPECT_EQ(ranks->host, "10.0.0.3");
  EXPECT_EQ(ranks->port, 1234);
}

TEST(Ranks, Slurm) {
  const Environment environment({{"SLURM_PROCID", "3"},
                                 {"SLURM_NTASKS", "4"},
                                 {"SLURM_LOCALID", "1"},
                                 {"SLURM_STEP_ID", "0"},
                                 {"SLURM_JOB_NODELIST", "node[03-04,9]"}});
  const auto ranks = ranks_from_environment();
  ASSERT_TRUE(ranks);
  EXPECT_EQ(ranks->rank, 3);
  EXPECT_EQ(ranks->host, "node03");
}

TEST(Ranks, OpenMpi) {
  const Environment environment(
      {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}});
  const auto ranks = ranks_from_environment();
  ASSERT_TRUE(ranks);
  EXPECT_EQ(ranks->rank, 1);
  EXPECT_EQ(ranks->size, 2);
}

TEST(Ranks, ContradictionsAreRefused) {
  const Environment environment({{"RANK", "8"}, {"WORLD_SIZE", "8"}});
  EXPECT_FALSE(ranks_from_environment());
  ::setenv("RANK", "one", 1);
  EXPECT_NE(ranks_from_environment().error().message.find("RANK = 'one'"), std::string::npos);
}

TEST(Ranks, SlurmHosts) {
  EXPECT_EQ(first_slurm_host("alpha"), "alpha");
  EXPECT_EQ(first_slurm_host("alpha,beta[1-3]"), "alpha");
  EXPECT_EQ(first_slurm_host("beta[7]"), "beta7");
  EXPECT_EQ(first_slurm_host("beta[01,05-06],gamma"), "beta01");
}

}  // namespace
}  // namespace zoe::train
