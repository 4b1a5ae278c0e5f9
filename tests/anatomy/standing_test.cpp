// SPDX-License-Identifier: MIT
// What anatomy shares with retarget: standing feet, smooth tracks, hinges of limbs.
#include "zoe/anatomy/standing.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/anatomy/leg_rig.h"
#include "zoe/anatomy/smooth_track.h"

namespace zoe::anatomy {
namespace {

TEST(Standing, TheLowestPartCarriesTheFoot) {
  std::array<float, 2> weights{};
  carrying_weights(std::array{0.0F, 0.5F}, 0.1F, weights);
  EXPECT_FLOAT_EQ(weights[0], 1);
  EXPECT_FLOAT_EQ(weights[1], 0);
  // Equal heights share, also where the foot hovers.
  carrying_weights(std::array{0.7F, 0.7F}, 0.1F, weights);
  EXPECT_FLOAT_EQ(weights[0], 0.5F);
  EXPECT_FLOAT_EQ(weights[1], 0.5F);
}

TEST(Standing, HeightIsOfTheLowerQuarterOfTheFramesThatTouch) {
  std::vector<Vec3> part;
  std::vector<std::uint8_t> touching;
  for (int f = 0; f < 8; ++f) {
    part.push_back({0, static_cast<float>(f), 0});
    touching.push_back(f >= 4 ? 1 : 0);
  }
  EXPECT_EQ(standing_height(part, touching, {0, 1, 0}, -1), 5);
  EXPECT_EQ(standing_height(part, std::vector<std::uint8_t>(8, 0), {0, 1, 0}, -1), -1);
}

TEST(SmoothTrack, KeepsLinesAndEndsAndFlattensPeaks) {
  std::vector<Vec3> line, peak(9);
  for (int f = 0; f < 9; ++f) line.push_back({static_cast<float>(f), 0, 0});
  const std::vector<Vec3> before = line;
  smooth_track(line, 3);
  for (std::size_t f = 0; f < 9; ++f) EXPECT_LT(distance(line[f], before[f]), 1e-6F);
  peak[4] = {0, 3, 0};
  smooth_track(peak, 1);
  EXPECT_FLOAT_EQ(peak[4].y, 1);
  EXPECT_FLOAT_EQ(peak[3].y, 1);
  EXPECT_EQ(peak[2].y, 0);
}

TEST(HingeOf, IsTheJointWithLongBonesOnBothSides) {
  // Hip, a twist bone close to it, knee, ankle.
  const std::vector<Vec3> positions{{0, 1, 0}, {0, 0.95F, 0}, {0, 0.5F, 0}, {0, 0, 0}};
  EXPECT_EQ(hinge_of({0, 1, 2, 3}, positions), 2U);
  EXPECT_EQ(hinge_of({0, 2, 3}, positions), 1U);
}

}  // namespace
}  // namespace zoe::anatomy
