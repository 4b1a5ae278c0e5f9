// SPDX-License-Identifier: MIT
#include "zoe/math/smooth_step.h"

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(SmoothStep, RisesFromZeroToOneWithoutSlopeAtTheEnds) {
  for (const float outside : {-3.0F, 0.0F}) {
    EXPECT_EQ(smooth_step(outside), 0);
    EXPECT_EQ(smoother_step(outside), 0);
  }
  for (const float outside : {1.0F, 9.0F}) {
    EXPECT_EQ(smooth_step(outside), 1);
    EXPECT_EQ(smoother_step(outside), 1);
  }
  EXPECT_FLOAT_EQ(smooth_step(0.5F), 0.5F);
  EXPECT_FLOAT_EQ(smoother_step(0.5), 0.5F);
  EXPECT_FLOAT_EQ(smooth_step(0.25F), 0.15625F);
  EXPECT_FLOAT_EQ(smoother_step(0.25), 0.103515625F);
  // A step of h from an end: h² and h³ at most.
  EXPECT_LT(smooth_step(1e-3F), 3.1e-6F);
  EXPECT_LT(smoother_step(1e-2), 1.1e-5F);
}

}  // namespace
}  // namespace zoe
