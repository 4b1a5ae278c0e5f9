// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "io/gltf/time_grid.h"

namespace zoe::io::gltf {
namespace {

// Keys at the given frames of a rate, rounded to floats and, when asked, to so many decimals.
std::vector<float> keys(double fps, std::initializer_list<int> frames, double start_s = 0, double decimals = 0) {
  std::vector<float> times;
  for (const int frame : frames) {
    double time = start_s + frame / fps;
    if (decimals > 0) time = std::round(time * std::pow(10, decimals)) / std::pow(10, decimals);
    times.push_back(static_cast<float>(time));
  }
  return times;
}

TimeGrid grid_of(const std::vector<float>& times, const GridOptions& options = {}) {
  const std::span<const float> list(times);
  return find_time_grid({&list, 1}, options);
}

TEST(GltfTimeGrid, CommonRatesAreFoundFromDenseKeys) {
  for (const double fps : {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 10.0, 12.0, 15.0}) {
    std::vector<float> times;
    for (int f = 0; f < 200; ++f) times.push_back(static_cast<float>(f / fps));
    const TimeGrid grid = grid_of(times);
    EXPECT_DOUBLE_EQ(grid.fps, fps);
    EXPECT_EQ(grid.num_frames, 200U);
    EXPECT_TRUE(grid.keys_on_frames);
  }
}

TEST(GltfTimeGrid, BroadcastRatesAreToldFromWholeOnes) {
  std::vector<float> times;
  for (int f = 0; f < 500; ++f) times.push_back(static_cast<float>(f * 1001.0 / 30000.0));
  EXPECT_DOUBLE_EQ(grid_of(times).fps, 30000.0 / 1001.0);
}

TEST(GltfTimeGrid, SparseAndRoundedKeysStillLandOnFrames) {
  EXPECT_DOUBLE_EQ(grid_of(keys(30, {0, 7, 30, 31})).fps, 30.0);
  EXPECT_DOUBLE_EQ(grid_of(keys(24, {0, 1, 2, 3, 4, 40}, 0, 6)).fps, 24.0);
  const TimeGrid rounded = grid_of(keys(30, {0, 1, 2, 3, 4, 5}, 0, 3));  // Milliseconds.
  EXPECT_DOUBLE_EQ(rounded.fps, 30.0);
  EXPECT_EQ(rounded.num_frames, 6U);
}

TEST(GltfTimeGrid, TwoKeysFarApartGiveAnOrdinaryRate) {
  const TimeGrid grid = grid_of({0.0F, 10.0F});
  EXPECT_GE(grid.fps, 24.0);
  EXPECT_TRUE(grid.keys_on_frames);
  EXPECT_EQ(grid.num_frames, static_cast<std::size_t>(10 * grid.fps) + 1);
}

TEST(GltfTimeGrid, StartIsTheFirstKeyOfAllLists) {
  const std::vector<float> a = keys(30, {0, 1, 2}, 1.0), b = keys(30, {0, 4}, 0.5);
  const std::vector<std::span<const float>> lists{a, b};
  const TimeGrid grid = find_time_grid(lists, {});
  EXPECT_FLOAT_EQ(static_cast<float>(grid.start_s), 0.5F);
  EXPECT_EQ(grid.num_frames, 18U);  // 0.5 s to 1.0667 s.
}

TEST(GltfTimeGrid, IrregularKeysFallBackAndSayHowFarOff) {
  const TimeGrid grid = grid_of({0.0F, 0.0137F, 0.05F, 0.0713F});
  EXPECT_DOUBLE_EQ(grid.fps, 60.0);
  EXPECT_FALSE(grid.keys_on_frames);
  EXPECT_GT(grid.worst_offset_s, 1e-3);
  EXPECT_GE((static_cast<double>(grid.num_frames) - 1) / grid.fps,
            0.0713);  // The last key is inside.
}

TEST(GltfTimeGrid, WishesAreHonoured) {
  EXPECT_DOUBLE_EQ(grid_of(keys(24, {0, 1, 2}), {.fps = 50}).fps, 50.0);
  EXPECT_DOUBLE_EQ(grid_of(keys(24, {0, 24}), {.hint_fps = 12}).fps, 12.0);
  EXPECT_DOUBLE_EQ(grid_of(keys(24, {0, 1, 2}), {.hint_fps = 25}).fps, 24.0);  // The keys disagree.
  EXPECT_GE(grid_of(keys(10, {0, 1, 2}), {.min_fps = 24}).fps, 24.0);
}

TEST(GltfTimeGrid, AbsurdTimesSaturate) {
  EXPECT_GT(grid_of({0.0F, 3e38F}).num_frames, std::size_t{1} << 62);
  EXPECT_EQ(grid_of({5.0F}).num_frames, 1U);
}

}  // namespace
}  // namespace zoe::io::gltf
