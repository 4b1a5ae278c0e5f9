// SPDX-License-Identifier: MIT
#include "zoe/math/symmetric_eigen.h"

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe {
namespace {

TEST(SymmetricEigen, HandComputed) {
  // (2 1; 1 2) has 3 along (1, 1) and 1 along (1, -1).
  const auto eigen = symmetric_eigen<2>({{{2, 1}, {1, 2}}});
  EXPECT_NEAR(eigen.values[eigen.largest()], 3, 1e-12);
  EXPECT_NEAR(eigen.values[eigen.smallest()], 1, 1e-12);
  const auto& along = eigen.vectors[eigen.largest()];
  EXPECT_NEAR(along[0], along[1], 1e-12);
}

TEST(SymmetricEigen, DefinitionHoldsOnRandomMatrices) {
  Random rng(7);
  for (int round = 0; round < 200; ++round) {
    SquareMatrix<4> m;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t k = 0; k <= i; ++k) m[i][k] = m[k][i] = rng.uniform(-1.0F, 1.0F) * (i == 3 ? 1e-4 : 1.0);
    }
    const auto eigen = symmetric_eigen<4>(m);
    for (std::size_t e = 0; e < 4; ++e) {
      for (std::size_t i = 0; i < 4; ++i) {
        double product = 0, overlap = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          product += m[i][k] * eigen.vectors[e][k];
          overlap += eigen.vectors[i][k] * eigen.vectors[e][k];
        }
        EXPECT_NEAR(product, eigen.values[e] * eigen.vectors[e][i], 1e-12);
        EXPECT_NEAR(overlap, i == e ? 1.0 : 0.0, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace zoe
