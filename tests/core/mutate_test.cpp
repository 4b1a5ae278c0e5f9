// SPDX-License-Identifier: MIT
// The test tools themselves: a guard counts only once it has been seen failing.
#include "support/mutate.h"

#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <time.h>

#include "support/allocation.h"

namespace zoe::test {
namespace {

TEST(AllocationMeter, SeesPeakLiveAndCount) {
  const AllocationMeter meter;
  {
    const std::vector<char> big(1 << 20);
    EXPECT_GE(meter.live_bytes(), std::size_t{1} << 20);
  }
  EXPECT_LT(meter.live_bytes(), std::size_t{1} << 16);
  EXPECT_GE(meter.peak_bytes(), std::size_t{1} << 20);
  EXPECT_LT(meter.peak_bytes(), std::size_t{3} << 20);
  EXPECT_GE(meter.allocations(), 1u);
}

TEST(AllocationMeter, SeesOverAlignedAndOtherThreads) {
  struct alignas(64) Wide {
    char bytes[64];
  };
  const AllocationMeter meter;
  const auto wide = std::make_unique<Wide[]>(1000);
  EXPECT_GE(meter.live_bytes(), 64000u);
  std::thread([] { const std::vector<char> big(1 << 20); }).join();
  EXPECT_GE(meter.peak_bytes(), (std::size_t{1} << 20) + 64000u);
}

TEST(AllocationMeter, NothingIsZero) {
  const AllocationMeter meter;
  volatile int sum = 0;
  for (int i = 0; i < 10; ++i) sum = sum + i;
  EXPECT_EQ(meter.allocations(), 0u);
  EXPECT_EQ(meter.peak_bytes(), 0u);
}

std::vector<std::byte> counting_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7);
  return bytes;
}

TEST(Mutate, CutsEveryPercentAndAlwaysChangesFlippedCopies) {
  const std::vector<std::byte> good = counting_bytes(10000);
  std::set<std::size_t> sizes;
  int full_size = 0;
  int changed = 0;
  const MutateReport report = mutate(good, [&](std::span<const std::byte> input) {
    sizes.insert(input.size());
    if (input.size() != good.size()) return;
    ++full_size;
    changed += !std::equal(input.begin(), input.end(), good.begin());
  });
  EXPECT_EQ(report.failure, "");
  EXPECT_EQ(report.calls, 2100);
  EXPECT_EQ(sizes.size(), 101u);
  EXPECT_EQ(full_size, 2000);
  EXPECT_GT(changed, 1900);  // A byte may be set to the value it had.
}

TEST(Mutate, ReportsGreedyAndSlowReaders) {
  const std::vector<std::byte> good = counting_bytes(1000);
  const auto greedy = mutate(good, [](std::span<const std::byte>) { std::vector<char>(1 << 20); }, {.flips = 3});
  EXPECT_NE(greedy.failure.find("bytes of heap"), std::string::npos);
  const auto burn = [](std::span<const std::byte>) {
    timespec now{};
    const auto cpu = [&] {
      ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
      return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
    };
    for (const double start_ms = cpu(); cpu() < start_ms + 2;) {
    }
  };
  const auto slow = mutate(good, burn, {.flips = 3, .max_cpu_s = 0.001});
  EXPECT_NE(slow.failure.find("CPU time"), std::string::npos);
}

TEST(Mutate, EmptyInputIsOnlyCut) {
  EXPECT_EQ(mutate({}, [](std::span<const std::byte> input) { EXPECT_TRUE(input.empty()); }).calls, 100);
}

}  // namespace
}  // namespace zoe::test
