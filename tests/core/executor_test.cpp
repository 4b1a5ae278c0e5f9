// SPDX-License-Identifier: MIT
#include "zoe/core/executor.h"

#include <mutex>
#include <numeric>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"

#include "support/allocation.h"
#include "support/executors.h"

namespace zoe {
namespace {

using Pieces = std::set<std::pair<std::size_t, std::size_t>>;

Pieces pieces_of(Executor& executor, std::size_t n, std::size_t grain) {
  Pieces pieces;
  std::mutex mutex;
  executor.parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(pieces.emplace(begin, end).second) << "piece at " << begin << " ran twice";
  });
  return pieces;
}

TEST(Executor, EveryOneGetsTheSamePieces) {
  ThreadPool pool(2);
  test::ReversedExecutor reversed;
  test::FreshThreadsExecutor fresh(3);
  for (const std::size_t n : {0U, 1U, 7U, 8U, 9U, 100U}) {
    const Pieces expected = pieces_of(pool, n, 8);
    EXPECT_EQ(expected.size(), (n + 7) / 8);
    EXPECT_EQ(pieces_of(reversed, n, 8), expected);
    EXPECT_EQ(pieces_of(fresh, n, 8), expected);
  }
  EXPECT_EQ(reversed.runs, 2) << "one piece needs no executor";
}

TEST(Executor, PartialSumsAreTheSameBits) {
  std::vector<float> values(10'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0F / static_cast<float>(i + 1);
  const auto sum = [&](Executor& executor) {
    std::vector<float> parts((values.size() + 63) / 64);
    executor.parallel_for(values.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) parts[begin / 64] += values[i];
    });
    return std::accumulate(parts.begin(), parts.end(), 0.0F);
  };
  ThreadPool pool(3);
  test::ReversedExecutor reversed;
  test::FreshThreadsExecutor fresh(4);
  EXPECT_EQ(sum(reversed), sum(pool));
  EXPECT_EQ(sum(fresh), sum(pool));
}

TEST(Executor, CallsDoNotAllocate) {
  test::ReversedExecutor reversed;
  std::size_t total = 0;
  const test::AllocationMeter meter;
  reversed.parallel_for(1000, 8, [&](std::size_t begin, std::size_t end) { total += end - begin; });
  EXPECT_EQ(meter.allocations(), 0U);
  EXPECT_EQ(total, 1000U);
}

TEST(ExecutorDeathTest, AGrainOfZeroIsACallersBug) {
  test::ReversedExecutor reversed;
  EXPECT_DEATH(reversed.parallel_for(1, 0, [](std::size_t, std::size_t) {}), "grain must be positive");
}

}  // namespace
}  // namespace zoe
