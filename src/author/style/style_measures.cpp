// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/author/evaluate_style.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::author {

double skate_fraction(const Motion& motion, const style::RoleBody& body, double metres_per_unit) {
  constexpr double kLow_m = 0.025, kFast_mps = 0.25;
  double slides = 0, count = 0;
  for (const int toes : {style::kLeftToes, style::kRightToes}) {
    int joint = body.joints[idx(toes)];
    if (joint == kNoJoint) joint = body.joints[idx(toes - 1)];
    const int joints[] = {joint};
    const std::vector<Vec3> at = model_positions(motion, joints);
    std::vector<float> heights;
    for (const Vec3 p : at) heights.push_back(p.y);
    const auto low = heights.begin() + static_cast<std::ptrdiff_t>(0.02 * static_cast<double>(heights.size()));
    std::nth_element(heights.begin(), low, heights.end());
    const float floor = *low;
    for (std::size_t f = 1; f < at.size(); ++f) {
      const double speed = std::hypot(at[f].x - at[f - 1].x, at[f].z - at[f - 1].z) * metres_per_unit * motion.fps;
      slides += (at[f].y - floor) * metres_per_unit < kLow_m && speed > kFast_mps ? 1 : 0;
      count += 1;
    }
  }
  return count > 0 ? slides / count : 0;
}

double mean_jerk(std::span<const float> rows, const style::RoleBody& body, double metres_per_unit) {
  const std::size_t count = rows.size() / style::kNumColumns;
  if (count < 4) return 0;
  std::vector<std::array<Vec3, style::kNumRoles>> at(count);
  for (std::size_t f = 0; f < count; ++f)
    style::role_positions(rows.subspan(f * style::kNumColumns, style::kNumColumns), body.offsets, at[f]);
  double sum = 0;
  for (std::size_t f = 3; f < count; ++f)
    for (std::size_t r = 1; r < style::kNumRoles; ++r)
      sum += length(at[f][r] - (at[f - 1][r] - at[f - 2][r]) * 3.0F - at[f - 3][r]);
  const double rate = style::kRowsPerSecond;
  return sum / static_cast<double>((count - 3) * (style::kNumRoles - 1)) * rate * rate * rate * body.leg_length *
         metres_per_unit;
}

}  // namespace zoe::author
