// SPDX-License-Identifier: MIT
#include "train/candidates.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/data.h"

namespace zoe::train {
namespace {

using Steps = std::vector<std::int64_t>;

void write(Candidates& candidates, std::int64_t step) {
  ASSERT_TRUE(candidates.is_due(step));
  std::ofstream(candidates.path(step)) << "x";
  candidates.thin();
}

TEST(Candidates, StayEvenlySpacedOverARunOfAnyLength) {
  const std::filesystem::path folder = test::temporary_dir("candidates");
  Candidates candidates(folder, 4, 100);
  for (std::int64_t step = 1; step <= 3000; ++step)
    if (candidates.is_due(step)) write(candidates, step);
  EXPECT_EQ(candidates.steps(), (Steps{800, 1600, 2400}));
  EXPECT_FALSE(candidates.is_due(2500)) << "the spacing is 800 by now";
  // A run that is continued goes on with the same spacing.
  Candidates again(folder, 4, 100);
  EXPECT_FALSE(again.is_due(2500));
  EXPECT_TRUE(again.is_due(3200));
}

TEST(Candidates, AreNoneUnlessAskedFor) {
  const std::filesystem::path folder = test::temporary_dir("candidates");
  const Candidates none(folder, 0, 100);
  EXPECT_FALSE(none.is_due(100));
}

}  // namespace
}  // namespace zoe::train
