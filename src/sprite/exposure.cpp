// SPDX-License-Identifier: MIT
#include "zoe/sprite/exposure.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/check.h"

namespace zoe::sprite {

std::vector<Exposure> even_exposures(const Motion& motion, double fps, int num_frames, bool loop) {
  ZOE_CHECK(motion.num_frames > 0 && fps > 0, "even_exposures: a motion with frames, and a rate");
  const double length_s = motion.duration_s();
  if (length_s <= 0) return {{0, std::max(1, static_cast<int>(std::lround(1000 / fps)))}};
  int count = num_frames;
  if (count <= 0) count = std::max(1, static_cast<int>(std::lround(length_s * fps)) + (loop ? 0 : 1));
  // A clip that does not repeat also displays its last pose, for as long as the others.
  const int gaps = loop ? count : std::max(1, count - 1);
  const double step_s = count > 1 || loop ? length_s / gaps : 0,
               shown_s = num_frames > 0 || loop ? length_s : count / fps;
  std::vector<Exposure> exposures;
  for (int i = 0; i < count; ++i) {
    const auto until = [&](int k) { return std::lround(1000 * shown_s * k / count); };
    exposures.push_back({i * step_s, std::max(1, static_cast<int>(until(i + 1) - until(i)))});
  }
  return exposures;
}

bool is_loop(const Motion& motion) {
  if (motion.num_frames < 3) return false;
  const auto num_joints = static_cast<std::size_t>(motion.num_joints());
  std::vector<Affine> first(num_joints), last(num_joints);
  compute_model_from_joint(*motion.skeleton, motion.frame(0), first);
  compute_model_from_joint(*motion.skeleton, motion.frame(motion.num_frames - 1), last);
  Vec3 low{1e30F, 1e30F, 1e30F}, high = -low;
  double sum = 0;
  for (std::size_t i = 0; i < num_joints; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], first[i].t[axis]);
      high[axis] = std::max(high[axis], first[i].t[axis]);
    }
  }
  // The travel over the ground is no difference: the mean of the joints moves with the body.
  Vec3 travel{};
  for (std::size_t i = 0; i < num_joints; ++i) travel += (last[i].t - first[i].t) / static_cast<float>(num_joints);
  travel.y = 0;
  for (std::size_t i = 0; i < num_joints; ++i) sum += length(last[i].t - first[i].t - travel);
  return sum / static_cast<double>(num_joints) < 0.04 * length(high - low);
}

}  // namespace zoe::sprite
