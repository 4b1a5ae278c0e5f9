// SPDX-License-Identifier: MIT
#include "zoe/core/suggest.h"

#include <vector>

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(Suggest, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("covnert", "convert"), 1u);  // A swap is one edit.
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);           // Optimal alignment edits no substring twice.
  EXPECT_EQ(edit_distance("INFO", "info"), 0u);
  EXPECT_EQ(edit_distance("abc", "xyz"), edit_distance("xyz", "abc"));
}

TEST(Suggest, FindsTheNearestAndKnowsWhenToBeSilent) {
  const std::vector<std::string> verbs{"info", "convert", "doctor", "bench"};
  EXPECT_EQ(suggest("covert", verbs), "convert");
  EXPECT_EQ(suggest("Doktor", verbs), "doctor");
  EXPECT_EQ(suggest("xyzzy", verbs), std::nullopt);
  EXPECT_EQ(suggest("i", verbs), std::nullopt);
  EXPECT_EQ(suggest("", verbs), std::nullopt);
  EXPECT_EQ(suggest("info", {}), std::nullopt);
  EXPECT_EQ(did_you_mean("benhc", verbs), "; did you mean 'bench'?");
  EXPECT_EQ(did_you_mean("zzzzzz", verbs), "");
}

TEST(Suggest, FindsAForgottenTable) {
  const std::vector<std::string> keys{"data.path", "train.rate"};
  EXPECT_EQ(suggest("rate", keys), "train.rate");
}

}  // namespace
}  // namespace zoe
