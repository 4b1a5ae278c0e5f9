// SPDX-License-Identifier: MIT
#include "train/candidates.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/data.h"

namespace zoe::train {
namespace {

using Steps = std::vector<std::int64_t>;

void write(const Candidates& candidates, std::int64_t step) { std::ofstream(candidates.path(step)) << "x"; }

void train(const Candidates& candidates, std::int64_t first, std::int64_t last) {
  for (std::int64_t step = first; step <= last; ++step) {
    if (!candidates.is_due(step)) continue;
    write(candidates, step);
    candidates.thin(step);
  }
}

TEST(Candidates, StayEvenlySpacedOverARunOfAnyLength) {
  const std::filesystem::path folder = test::temporary_dir("candidates");
  const Candidates candidates(folder, 4, 100);
  train(candidates, 1, 3000);
  EXPECT_EQ(candidates.steps(), (Steps{800, 1600, 2400}));
  EXPECT_FALSE(candidates.is_due(2500)) << "the spacing is 800 by now";
}

TEST(Candidates, AreTheSameAfterAKillAtAnyMoment) {
  constexpr std::int64_t kEnd = 60, kCheckpointEvery = 5;
  const std::filesystem::path whole_folder = test::temporary_dir("candidates_whole");
  const Candidates whole(whole_folder, 8, kCheckpointEvery);
  train(whole, 1, kEnd);
  for (std::int64_t killed = 1; killed <= kEnd; ++killed) {
    for (const bool thinned : {false, true}) {
      const std::filesystem::path folder = test::temporary_dir("candidates_killed");
      const Candidates before(folder, 8, kCheckpointEvery);
      train(before, 1, killed - 1);
      if (before.is_due(killed)) write(before, killed);
      if (before.is_due(killed) && thinned) before.thin(killed);
      // The checkpoint of the step of the kill was not written.
      const Candidates again(folder, 8, kCheckpointEvery);
      train(again, (killed - 1) / kCheckpointEvery * kCheckpointEvery + 1, kEnd);
      EXPECT_EQ(again.steps(), whole.steps()) << "killed at step " << killed << (thinned ? "" : ", before thinning");
    }
  }
}

TEST(Candidates, AreNoneUnlessAskedFor) {
  const std::filesystem::path folder = test::temporary_dir("candidates");
  const Candidates none(folder, 0, 100);
  EXPECT_FALSE(none.is_due(100));
}

}  // namespace
}  // namespace zoe::train
