// SPDX-License-Identifier: MIT
#include "zoe/core/hash.h"

#include <gtest/gtest.h>

namespace zoe {
namespace {

// Published vectors of MurmurHash3 x64 128 with seed 0.
TEST(Hash, PublishedVectors) {
  EXPECT_EQ(hash_text("").hex(), "00000000000000000000000000000000");
  EXPECT_EQ(hash_text("hello").hex(), "cbd8a7b341bd9b025b1e906a48ae1d19");
  EXPECT_EQ(hash_text("hello, world").hex(), "342fac623a5ebc8e4cdcbc079642414d");
  EXPECT_EQ(hash_text("The quick brown fox jumps over the lazy dog.").hex(), "cd99481f9ee902c9695da1a38987b6e7");
}

TEST(Hash, PartsKeepTheirBorders) {
  EXPECT_NE(HashBuilder().add("ab").add("c").finish(), HashBuilder().add("a").add("bc").finish());
  EXPECT_NE(HashBuilder().add(0.5).finish(), HashBuilder().add(-0.5).finish());
  EXPECT_EQ(HashBuilder().add("x").add(std::int64_t{3}).finish(), HashBuilder().add("x").add(std::int64_t{3}).finish());
}

TEST(Hash, UnitIsSpreadEvenly) {
  int counts[10] = {};
  for (int i = 0; i < 10000; ++i) {
    const double u = hash_text("clip" + std::to_string(i)).unit();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++counts[static_cast<int>(u * 10)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 120);  // Four deviations.
}

}  // namespace
}  // namespace zoe
