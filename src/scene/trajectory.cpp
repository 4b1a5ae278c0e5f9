// SPDX-License-Identifier: MIT
#include "zoe/scene/trajectory.h"

#include "zoe/core/check.h"

namespace zoe::scene {

Trajectory::Trajectory(int num_samples, int steps_per_sample) : steps_per_sample_(steps_per_sample) {
  ZOE_CHECK(num_samples >= 1 && steps_per_sample >= 1, "a trajectory has samples, each some steps apart");
  ring_.resize(static_cast<std::size_t>(num_samples));
}

const TrajectorySample& Trajectory::operator[](int index) const {
  ZOE_CHECK(index >= 0 && index < num_samples(), "no such trajectory sample");
  const std::size_t oldest = count_ < ring_.size() ? 0 : next_;
  return ring_[(oldest + static_cast<std::size_t>(index)) % ring_.size()];
}

void Trajectory::step(const Affine& world_from_entity) {
  if (waited_ == 0) {
    const Vec3 z = world_from_entity.z;
    ring_[next_] = {world_from_entity.t, normalized(Vec3{z.x, 0, z.z}, {0, 0, 1})};
    next_ = (next_ + 1) % ring_.size();
    if (count_ < ring_.size()) ++count_;
  }
  waited_ = (waited_ + 1) % steps_per_sample_;
}

}  // namespace zoe::scene
