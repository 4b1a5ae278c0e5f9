// SPDX-License-Identifier: MIT
#include "zoe/core/thread_pool.h"

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/allocation.h"
#include "support/pool.h"

namespace zoe {
namespace {

TEST(ThreadPool, VisitsEveryIndexOnceInPiecesOfTheGrain) {
  for (const int workers : {0, 1, 3}) {
    ThreadPool pool(workers);
    EXPECT_EQ(pool.num_threads(), workers + 1);
    for (const std::size_t n : {0u, 1u, 7u, 8u, 1000u}) {
      std::vector<int> visits(n, 0);
      std::atomic<bool> whole_pieces{true};
      pool.parallel_for(n, 8, [&](std::size_t begin, std::size_t end) {
        if (begin % 8 != 0 || end != std::min<std::size_t>(begin + 8, n)) whole_pieces = false;
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      EXPECT_TRUE(whole_pieces);
      EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), std::size_t{0}), n);
      EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int count) { return count == 1; }));
    }
  }
}

TEST(ThreadPool, NestedCallsFinish) {
  ThreadPool pool(3);
  std::atomic<int> total{0};
  for (int repeat = 0; repeat < 50; ++repeat) {
    pool.parallel_for(8, 1, [&](std::size_t, std::size_t) {
      pool.parallel_for(8, 1, [&](std::size_t, std::size_t) {
        pool.parallel_for(4, 1, [&](std::size_t begin, std::size_t end) { total += static_cast<int>(end - begin); });
      });
    });
  }
  EXPECT_EQ(total, 50 * 8 * 8 * 4);
}

TEST(ThreadPool, SeveralCallersShareOnePool) {
  ThreadPool pool(2);
  std::vector<std::thread> callers;
  std::atomic<std::size_t> total{0};
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 100; ++repeat) {
        pool.parallel_for(100, 3, [&](std::size_t begin, std::size_t end) { total += end - begin; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 4u * 100u * 100u);
}

// Both pieces wait for each other: this ends only if two threads run at once.
TEST(ThreadPool, WorkersReallyRunBesideTheCaller) {
  ThreadPool pool(1);
  std::atomic<int> arrived{0};
  std::set<std::thread::id> threads;
  std::mutex mutex;
  pool.parallel_for(2, 1, [&](std::size_t, std::size_t) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 2u);
  EXPECT_TRUE(threads.contains(std::this_thread::get_id()));
}

TEST(ThreadPool, DoesNotAllocate) {
  ThreadPool pool(2);
  std::vector<int> out(1000);
  const auto fill = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = static_cast<int>(i);
  };
  test::wait_for_threads(pool);
  const test::AllocationMeter meter;
  for (int i = 0; i < 100; ++i) pool.parallel_for(out.size(), 10, fill);
  EXPECT_EQ(meter.allocations(), 0u);
}

TEST(ThreadPoolDeathTest, BadCallsAreCallersBugs) {
  ThreadPool pool(0);
  EXPECT_DEATH(pool.parallel_for(10, 0, [](std::size_t, std::size_t) {}), "grain");
  EXPECT_DEATH(ThreadPool(-1), "fewer than 0");
}

}  // namespace
}  // namespace zoe
