// SPDX-License-Identifier: MIT
#include "zoe/nn/row_count.h"

#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe::nn {
namespace {

const std::vector<std::string> kDims{"frames", "joints"};
const RowCount kFrames = RowCount::dim(0), kJoints = RowCount::dim(1);

TEST(RowCount, TextsComeBack) {
  for (const RowCount& rows : {RowCount(7), RowCount(0), kFrames, kFrames * kJoints + kJoints, kJoints * kJoints,
                               2 * kFrames - 3, kFrames * kJoints * 4 - kJoints + 12}) {
    EXPECT_EQ(RowCount::parse(rows.text(kDims), kDims), rows) << rows.text(kDims);
  }
  EXPECT_EQ((kFrames * kJoints + kJoints).text(kDims), "frames*joints+joints");
  EXPECT_EQ((2 * kFrames - 3).text(kDims), "2*frames-3");
  EXPECT_EQ(RowCount::parse("joints*3*frames+joints-frames*joints", kDims)->text(kDims), "2*frames*joints+joints");
  for (const char* wrong : {"", "bones", "frames+", "*frames", "frames**2", "+frames", "3 * frames", "99999999999",
                            "2frames", "frames*frames*frames*frames", "1073741824*frames*2"}) {
    EXPECT_FALSE(RowCount::parse(wrong, kDims)) << wrong;
  }
}

// Arithmetic with names gives the numbers of arithmetic with numbers.
TEST(RowCount, ArithmeticAgreesWithNumbers) {
  Random random(3);
  const std::vector<int> sizes{5, 7};
  for (int round = 0; round < 300; ++round) {
    const auto any = [&] {
      RowCount rows(static_cast<int>(random.below(9)) - 4);
      if (random.below(2) == 0) rows = rows + RowCount(static_cast<int>(random.below(5))) * kFrames;
      if (random.below(2) == 0) rows = rows - kJoints * RowCount(static_cast<int>(random.below(3)));
      return rows;
    };
    const RowCount a = any(), b = any();
    const int x = *a.evaluate(sizes), y = *b.evaluate(sizes);
    EXPECT_EQ((a + b).evaluate(sizes), x + y);
    EXPECT_EQ((a - b).evaluate(sizes), x - y);
    const RowCount product = a * b;
    if (product.valid()) {
      EXPECT_EQ(product.evaluate(sizes), x * y);
    }
    EXPECT_TRUE((a - a).is(0));
    const int by = 1 + static_cast<int>(random.below(4));
    if (const auto quotient = a.floor_divided(by)) {
      EXPECT_EQ(quotient->evaluate(sizes), (x - ((x % by) + by) % by) / by);
    }
  }
}

TEST(RowCount, DividesWhatIsAMultiple) {
  EXPECT_EQ((kFrames * kJoints + kJoints).divided(kJoints), kFrames + 1);
  EXPECT_EQ((kFrames + 1).divided(kFrames + 1), RowCount(1));
  EXPECT_FALSE((kFrames + 1).divided(kFrames));
  EXPECT_FALSE(kFrames.divided(RowCount(0)));
  EXPECT_FALSE((3 * kFrames).divided(RowCount(2)));
  EXPECT_FALSE(kFrames.evaluate({}));
  const std::vector<int> huge{1 << 16, 1 << 16};
  EXPECT_FALSE((kFrames * kJoints).evaluate(huge));
}

}  // namespace
}  // namespace zoe::nn
