// SPDX-License-Identifier: MIT
// Shuffles: a permutation each epoch, the same from any step on, shared by ranks, and without a favourite.
#include "train/epoch_order.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace zoe::train {
namespace {

std::vector<std::size_t> epoch_of(EpochOrder& order, std::int64_t epoch) {
  std::vector<std::size_t> all;
  for (std::int64_t s = 0; s < order.steps_per_epoch(); ++s) {
    const auto part = order.samples(epoch * order.steps_per_epoch() + s);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TEST(EpochOrders, WholeBatchesWithoutRepetition) {
  for (const std::size_t samples : {1, 7, 64, 1000}) {
    for (const std::size_t batch : {1, 3, 64}) {
      EpochOrder order(samples, batch, 5);
      EXPECT_EQ(order.steps_per_epoch(), std::max<std::int64_t>(1, static_cast<std::int64_t>(samples / batch)));
      if (samples < batch) continue;
      for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
        const std::vector<std::size_t> all = epoch_of(order, epoch);
        EXPECT_EQ(all.size(), samples / batch * batch);
        EXPECT_EQ(std::set<std::size_t>(all.begin(), all.end()).size(), all.size());
        EXPECT_LT(*std::max_element(all.begin(), all.end()), samples);
      }
    }
  }
}

TEST(EpochOrders, AnyStepMayBeAskedForInAnyOrder) {
  EpochOrder forward(500, 8, 9), jumping(500, 8, 9);
  std::vector<std::vector<std::size_t>> expected;
  for (std::int64_t step = 0; step < 200; ++step) {
    const auto part = forward.samples(step);
    expected.emplace_back(part.begin(), part.end());
  }
  for (const std::int64_t step : {199, 0, 62, 61, 130, 131, 5, 199}) {
    const auto part = jumping.samples(step);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), expected[static_cast<std::size_t>(step)].begin())) << step;
  }
}

TEST(EpochOrders, SeedsAndEpochsDiffer) {
  EpochOrder a(100, 100, 1), b(100, 100, 2), again(100, 100, 1);
  EXPECT_NE(epoch_of(a, 0), epoch_of(b, 0));
  EXPECT_NE(epoch_of(a, 0), epoch_of(a, 1));
  EXPECT_EQ(epoch_of(a, 3), epoch_of(again, 3));
}

TEST(EpochOrders, RanksShareEveryBatchInOrder) {
  EpochOrder order(90, 12, 4);
  for (const int ranks : {1, 2, 3, 4, 6, 12}) {
    for (const std::int64_t step : {0, 6, 7, 20}) {
      const auto span = order.samples(step);
      const std::vector<std::size_t> whole(span.begin(), span.end());
      std::vector<std::size_t> shared;
      for (int rank = 0; rank < ranks; ++rank) {
        const auto share = order.samples(step, rank, ranks);
        EXPECT_EQ(share.size(), 12U / static_cast<std::size_t>(ranks));
        shared.insert(shared.end(), share.begin(), share.end());
      }
      EXPECT_EQ(shared, whole) << ranks;
    }
  }
}

// Chi-square of where sample 0 lands, over many epochs: 9 degrees of freedom, six deviations.
TEST(EpochOrders, NoPlaceIsPreferred) {
  constexpr int kEpochs = 5000;
  EpochOrder order(10, 10, 3);
  std::vector<int> places(10);
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    const auto part = order.samples(epoch);
    ++places[static_cast<std::size_t>(std::find(part.begin(), part.end(), std::size_t{0}) - part.begin())];
  }
  double chi = 0;
  for (const int count : places) chi += std::pow(count - kEpochs / 10.0, 2) / (kEpochs / 10.0);
  EXPECT_LT(chi, 9 + 6 * std::sqrt(18.0));
  EXPECT_GT(chi, 0.5);  // As even as that would be no chance either.
}

TEST(EpochOrders, CallersBugs) {
  EXPECT_DEATH(EpochOrder(0, 4, 1), "nothing to draw from");
  EXPECT_DEATH(EpochOrder(4, 0, 1), "nothing to draw from");
  EpochOrder order(20, 10, 1);
  EXPECT_DEATH(order.samples(0, 0, 3), "does not divide evenly");
}

}  // namespace
}  // namespace zoe::train
