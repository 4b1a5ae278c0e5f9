// SPDX-License-Identifier: MIT
// Part of Zoetrope. The past path of an entity, and its desired future path.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/math/affine.h"

namespace zoe::scene {

struct TrajectorySample {
  Vec3 position;   // World space, metres.
  Vec3 direction;  // Direction of its +Z, on the ground, unit.
};

// A component: one sample every N fixed steps; the oldest are dropped.
class Trajectory {
 public:
  // num_samples >= 1, steps_per_sample >= 1.
  Trajectory(int num_samples, int steps_per_sample);

  int num_samples() const { return static_cast<int>(count_); }
  // 0 is the oldest stored sample.
  const TrajectorySample& operator[](int index) const;
  // Called once per fixed step.
  void step(const Affine& world_from_entity);

  // Future samples, written by the steering code, drawn as given.
  std::vector<TrajectorySample> future;

 private:
  std::vector<TrajectorySample> ring_;
  std::size_t next_ = 0, count_ = 0;
  int steps_per_sample_ = 1, waited_ = 0;
};

}  // namespace zoe::scene
