// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which of several training processes this one is, and where they meet.
#pragma once

#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::train {

struct Ranks {
  int rank = 0;  // 0 writes files.
  int size = 1;
  int local_rank = 0;              // Among those on this machine: which GPU.
  std::string host = "127.0.0.1";  // Where rank 0 listens.
  int port = 29500;
};

// As torchrun (RANK, WORLD_SIZE, MASTER_ADDR, …), Slurm (SLURM_PROCID, …) or Open MPI
// (OMPI_COMM_WORLD_RANK, …) say; one rank when none does. Refuses variables that contradict
// themselves.
Result<Ranks> ranks_from_environment();

// First host of a Slurm list: "node[03-07,9],login1" -> "node03".
std::string first_slurm_host(const std::string& list);

// Starts `count` copies of this program with `words` and torchrun's variables, waits, and returns
// the exit code: 0, or that of the first rank that failed. The others have ten seconds then to end by
// themselves. SIGTERM and SIGINT are passed on to all.
int run_local_ranks(int count, const std::vector<std::string>& words);

}  // namespace zoe::train
