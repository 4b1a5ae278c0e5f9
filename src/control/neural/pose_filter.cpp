// SPDX-License-Identifier: MIT
#include "control/neural/pose_filter.h"

#include <algorithm>
#include <cmath>

namespace zoe::control {

void PoseFilter::apply(float follow, std::span<Quat> rotations) noexcept {
  if (!started_) {
    std::copy(rotations.begin(), rotations.end(), rotations_.begin());
    std::fill(steps_.begin(), steps_.end(), Vec3{});
    started_ = true;
    return;
  }
  // The share of the speed that goes with it so that nothing swings (critical damping; Benedict and Bordner 1962 is the
  // usual, livelier choice).
  const float follow_speed = 2 * (2 - follow) - 4 * std::sqrt(1 - follow);
  for (std::size_t j = 0; j < rotations.size(); ++j) {
    const Quat guess = from_rotation_vector(steps_[j]) * rotations_[j];
    const Vec3 left = to_rotation_vector(rotations[j] * conjugate(guess));
    steps_[j] += left * follow_speed;
    rotations[j] = rotations_[j] = normalized(from_rotation_vector(left * follow) * guess);
  }
}

}  // namespace zoe::control
