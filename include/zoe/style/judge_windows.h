// SPDX-License-Identifier: MIT
// Part of Zoetrope. What judges of style see: positions by role around the hips, their speeds and accelerations, and
// the speed of the hips; never a position in the world, a height over the floor, a header of a file or a rotation. The
// generator's critic sees rotations instead.
#pragma once

#include <span>
#include <vector>

#include "zoe/style/features.h"

namespace zoe::style {

enum class JudgeView {
  kFull,      // Positions, speeds, and the speeds of the hips.
  kDynamics,  // Speeds, accelerations, and the speeds of the hips: no pose.
};
constexpr int kJudgeWindow = 60;  // Rows, two seconds.
constexpr int kJudgeHop = 30;
constexpr int kJudgeColumns = 6 * (kNumRoles - 1) + 3;  // Of both views.

// [rows × kJudgeColumns] of the rows of a clip, 30 a second.
std::vector<float> judge_rows(std::span<const float> rows, std::span<const Vec3> offsets, JudgeView view);

// First row of each window: half a window apart, the last one at the end. One window where the clip is short.
std::vector<std::size_t> window_starts(std::size_t num_rows);
// The window [kJudgeWindow × columns] from `start`; rows after the end repeat the last one.
void copy_window(std::span<const float> rows, int columns, std::size_t start, std::span<float> out);

}  // namespace zoe::style
