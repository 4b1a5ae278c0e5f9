// SPDX-License-Identifier: MIT
#include "zoe/core/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"

namespace zoe {
namespace {

// Known answers of the Random123 library, file kat_vectors, lines "philox4x32 10".
TEST(Random, PhiloxMatchesThePublishedVectors) {
  const PhiloxCounter zeros = philox4x32_10({0, 0, 0, 0}, {0, 0});
  EXPECT_EQ(zeros, (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  const PhiloxCounter ones = philox4x32_10({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes});
  EXPECT_EQ(ones, (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  const PhiloxCounter pi = philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0});
  EXPECT_EQ(pi, (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, SeedZeroStartsWithTheFirstVector) {
  Random random(0);
  EXPECT_EQ(random.next_u32(), 0x6627e8d5u);
  EXPECT_EQ(random.next_u32(), 0xe169c58du);
  EXPECT_EQ(random.next_u64(), 0x9b00dbd8bc57ac4cu);
}

// The inverse is checked against the C library's erfc, which shares nothing with it.
TEST(Random, QuantileInvertsTheNormalDistribution) {
  for (double p : {1e-300, 1e-100, 1e-16, 1e-9, 1e-4, 0.01, 0.0749, 0.0751, 0.3, 0.5 - 1e-9}) {
    const double x = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)) / p, 1.0, 2e-12) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_EQ(normal_quantile(0.25), -normal_quantile(0.75));
}

TEST(Random, NormalsHaveTheRightMoments) {
  Random random(7);
  constexpr int kCount = 200000;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  // Six standard errors of each.
  EXPECT_NEAR(sum / kCount, 0, 6 / std::sqrt(kCount));
  EXPECT_NEAR(squares / kCount, 1, 6 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(fourth / kCount, 3, 6 * std::sqrt(96.0 / kCount));
}

TEST(Random, BelowIsUniformAndInRange) {
  Random random(3);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  double chi2 = 0;
  for (const int count : counts) chi2 += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi2, 33);  // 6 degrees of freedom, probability 1e-5.
  EXPECT_EQ(random.below(1), 0u);
  const std::uint64_t huge = (std::uint64_t{1} << 63) + 1;  // Rejects nearly half of the draws.
  for (int i = 0; i < 1000; ++i) EXPECT_LT(random.below(huge), huge);
}

TEST(Random, UniformsStayInTheirRange) {
  Random random(4);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const float unit = random.uniform();
    EXPECT_TRUE(unit >= 0 && unit < 1);
    const float value = random.uniform(1.0f, std::nextafter(1.0f, 2.0f));
    EXPECT_EQ(value, 1.0f);
    const double fine = random.uniform_double();
    EXPECT_TRUE(fine >= 0 && fine < 1);
    sum += fine;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 6 * 0.2887 / 100);
}

TEST(Random, StreamsDifferAndIgnoreThePosition) {
  Random parent(5);
  const Random early = parent.split(1);
  parent.next_u64();
  Random late = parent.split(1);
  Random early_copy = early;
  std::set<std::uint64_t> firsts;
  EXPECT_EQ(early_copy.next_u64(), late.next_u64());
  for (std::uint64_t key = 0; key < 1000; ++key) {
    firsts.insert(parent.split(key).next_u64());
    firsts.insert(parent.split(0).split(key).next_u64());
    firsts.insert(Random(key).next_u64());
  }
  EXPECT_EQ(firsts.size(), 3000u);
}

TEST(Random, ShufflePermutesEvenly) {
  std::array<int, 6> orders{};
  Random random(6);
  for (int i = 0; i < 6000; ++i) {
    std::array<int, 3> items{0, 1, 2};
    random.shuffle(items);
    ++orders[static_cast<std::size_t>(items[0] * 2 + (items[1] > items[2] ? 1 : 0))];
  }
  for (const int count : orders) EXPECT_NEAR(count, 1000, 180);
}

TEST(Random, SameNumbersForAnyNumberOfThreads) {
  const Random parent(8);
  const auto draw = [&](int workers) {
    ThreadPool pool(workers);
    std::vector<double> numbers(1000);
    pool.parallel_for(numbers.size(), 7, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) numbers[i] = parent.split(i).normal();
    });
    return numbers;
  };
  EXPECT_EQ(draw(0), draw(3));
}

// Frozen bits: a change here changes every experiment's numbers.
TEST(Random, NumbersAreFrozen) {
  Random random = Random(42).split(1);
  std::uint64_t hash = 0;
  for (int i = 0; i < 1000; ++i) hash = hash * 31 + std::bit_cast<std::uint64_t>(random.normal());
  EXPECT_EQ(hash, 2816746809121149493u);
}

}  // namespace
}  // namespace zoe
