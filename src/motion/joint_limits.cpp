// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/motion/statistics.h"

namespace zoe {
namespace {

// Nearest-rank percentiles; reorders values.
Range percentiles(std::vector<float>& values, const JointLimitOptions& options) {
  const auto at = [&](double fraction) {
    const auto rank = static_cast<std::ptrdiff_t>(std::llround(fraction * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<std::size_t>(rank)];
  };
  return {at(options.low), at(options.high)};
}

Vec3 twist_axis_of(const Skeleton& skeleton, int joint) {
  Vec3 sum{};
  for (int child = joint + 1; child < skeleton.num_joints(); ++child) {
    if (skeleton.parent(child) == joint) sum += normalized(skeleton.rest_local(child).translation);
  }
  return normalized(sum, {0, 1, 0});
}

}  // namespace

Result<std::vector<JointLimits>> joint_limits(const Motion& motion, const JointLimitOptions& options) {
  if (motion.num_frames < 1) return Error{ErrorCode::kUsage, "joint limits need at least one frame", {}};
  if (!(options.low >= 0 && options.low <= options.high && options.high <= 1)) {
    return Error{ErrorCode::kUsage, "joint limits: percentiles must satisfy 0 <= low <= high <= 1", {}};
  }
  const auto n = static_cast<std::size_t>(motion.num_joints());
  const auto frames = static_cast<std::size_t>(motion.num_frames);
  std::vector<JointLimits> out(n);
  std::array<std::vector<float>, 5> values;  // x, y, z, twist, swing.
  for (auto& v : values) v.resize(frames);
  for (std::size_t joint = 0; joint < n; ++joint) {
    const Quat rest = motion.skeleton->rest_local(static_cast<int>(joint)).rotation;
    const Vec3 axis = twist_axis_of(*motion.skeleton, static_cast<int>(joint));
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const Quat q = canonical(normalized(conjugate(rest) * motion.rotations[frame * n + joint]));
      const Vec3 turn = to_rotation_vector(q);
      // q = swing * twist with the twist about the axis: its half angle comes from the part of q along the axis.
      const float along = dot(Vec3{q.x, q.y, q.z}, axis);
      const float twist = 2 * std::atan2(along, q.w);
      const float cos_half_swing = std::min(1.0F, std::hypot(along, q.w));
      const float parts[5] = {turn.x, turn.y, turn.z, twist, 2 * std::acos(cos_half_swing)};
      for (std::size_t k = 0; k < 5; ++k) values[k][frame] = parts[k];
    }
    JointLimits& limits = out[joint];
    limits.twist_axis = axis;
    for (std::size_t k = 0; k < 3; ++k) limits.axes[k] = percentiles(values[k], options);
    limits.twist = percentiles(values[3], options);
    limits.swing = percentiles(values[4], options);
  }
  return out;
}

}  // namespace zoe
