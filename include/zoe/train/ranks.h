// SPDX-License-Identifier: MIT
// Part of Zoetrope. The rank of this process among several training processes, and their meeting point.
#pragma once

#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::train {

struct Ranks {
  int rank = 0;  // 0 writes files.
  int size = 1;
  int local_rank = 0;              // Rank on this machine: selects the GPU.
  std::string host = "127.0.0.1";  // Address on which rank 0 listens.
  int port = 29500;
};

// From the variables of torchrun (RANK, WORLD_SIZE, MASTER_ADDR, …), Slurm (SLURM_PROCID, …) or Open MPI
// (OMPI_COMM_WORLD_RANK, …); one rank without them. Refuses contradictory variables.
Result<Ranks> ranks_from_environment();

// First host of a Slurm list: "node[03-07,9],login1" -> "node03".
std::string first_slurm_host(const std::string& list);

// Starts `count` copies of this program with `words` and torchrun's variables, waits, and returns the exit code: 0, or
// that of the first rank that failed. The others then have ten seconds to exit. SIGTERM and SIGINT are forwarded to
// all.
int run_local_ranks(int count, const std::vector<std::string>& words);

}  // namespace zoe::train
