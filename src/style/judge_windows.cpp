// SPDX-License-Identifier: MIT
#include "zoe/style/judge_windows.h"

#include <algorithm>

#include "zoe/core/index.h"

namespace zoe::style {

std::vector<float> judge_rows(std::span<const float> rows, std::span<const Vec3> offsets, JudgeView view) {
  const std::size_t count = rows.size() / kNumColumns;
  constexpr std::size_t kRoles = kNumRoles - 1;  // All but the hips, which are the origin.
  std::vector<Vec3> positions(count * kRoles), speeds(count * kRoles), accelerations(count * kRoles);
  std::array<Vec3, kNumRoles> pose;
  const auto difference = [&](const std::vector<Vec3>& of, std::vector<Vec3>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t later = std::max(i, i % kRoles + kRoles);  // The first row has the change of the second.
      if (later < to.size()) to[i] = (of[later] - of[later - kRoles]) * static_cast<float>(kRowsPerSecond);
    }
  };
  for (std::size_t f = 0; f < count; ++f) {
    role_positions(rows.subspan(f * kNumColumns, kNumColumns), offsets, pose);
    std::copy(pose.begin() + 1, pose.end(), positions.begin() + static_cast<std::ptrdiff_t>(f * kRoles));
  }
  difference(positions, speeds);
  difference(speeds, accelerations);
  const bool full = view == JudgeView::kFull;
  std::vector<float> out;
  out.reserve(count * kJudgeColumns);
  for (std::size_t f = 0; f < count; ++f) {
    for (std::size_t i = f * kRoles; i < (f + 1) * kRoles; ++i) {
      const Vec3 a = full ? positions[i] : speeds[i], b = full ? speeds[i] : accelerations[i];
      out.insert(out.end(), {a.x, a.y, a.z, b.x, b.y, b.z});
    }
    const float* row = rows.data() + f * kNumColumns;
    out.insert(out.end(), {row[kSpeedAcross], row[kSpeedAlong], row[kTurn]});
  }
  return out;
}

std::vector<std::size_t> window_starts(std::size_t num_rows) {
  std::vector<std::size_t> starts{0};
  while (starts.back() + kJudgeWindow < num_rows)
    starts.push_back(std::min<std::size_t>(starts.back() + kJudgeHop, num_rows - kJudgeWindow));
  return starts;
}

void copy_window(std::span<const float> rows, int columns, std::size_t start, std::span<float> out) {
  const std::size_t width = idx(columns), last = rows.size() / width - 1;
  for (std::size_t i = 0; i < kJudgeWindow; ++i)
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(std::min(start + i, last) * width), width,
                out.begin() + static_cast<std::ptrdiff_t>(i * width));
}

}  // namespace zoe::style
