// SPDX-License-Identifier: MIT
#include "zoe/math/page_vector.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(PageVector, KeepsItsNumbersAcrossSizesOnBothSidesOfAPage) {
  PageVector<int> numbers;
  for (const std::size_t count : {3, 1000, 262143, 262144, 600000, 100}) {
    const std::size_t before = numbers.size();
    numbers.resize(count);
    std::iota(numbers.begin() + static_cast<long>(std::min(before, count)), numbers.end(),
              static_cast<int>(std::min(before, count)));
    const PageVector<int> copy = numbers;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.data()) % (count >= 262144 ? 2U << 20U : 64U), 0U) << count;
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(copy[i], static_cast<int>(i));
  }
}

}  // namespace
}  // namespace zoe
