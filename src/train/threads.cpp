// SPDX-License-Identifier: MIT
#include "train/threads.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <sched.h>

namespace zoe::train {
namespace {

// This process's part of the available processors.
int num_processors() {
  cpu_set_t set;
  const int all = ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  const char* ranks_here = std::getenv("LOCAL_WORLD_SIZE");  // As set by torchrun and our own launcher.
  return std::max(1, all / std::max(1, ranks_here != nullptr ? std::atoi(ranks_here) : 1));
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void set_threads(int count) {
  at::set_num_threads(count);
  // OpenBLAS has its own threads. libtorch's setting does not apply to them.
  if (void* set = ::dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(count);
}

int tune_threads(const std::function<void()>& work) {
  const int most = num_processors();
  if (most == 1) return set_threads(1), 1;
  constexpr int kRounds = 5;
  double one_s = 1e30, all_s = 1e30;
  set_threads(1);
  work();  // First calls allocate.
  for (int round = 0; round < kRounds; ++round) {
    set_threads(1);
    one_s = std::min(one_s, seconds_of(work));
    set_threads(most);
    all_s = std::min(all_s, seconds_of(work));
    if (one_s + all_s > 2) break;
  }
  const int best = all_s < one_s ? most : 1;
  set_threads(best);
  return best;
}

}  // namespace zoe::train
