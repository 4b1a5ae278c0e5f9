// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A thread allocates while it starts: what counts allocations waits until all have come.
#pragma once

#include <atomic>
#include <thread>

#include "zoe/core/thread_pool.h"

namespace zoe::test {

inline void wait_for_threads(ThreadPool& pool) {
  std::atomic<int> arrived{0};
  pool.parallel_for(static_cast<std::size_t>(pool.num_threads()), 1, [&](std::size_t, std::size_t) {
    ++arrived;
    while (arrived < pool.num_threads()) std::this_thread::yield();
  });
}

}  // namespace zoe::test
