// SPDX-License-Identifier: MIT
// Part of Zoetrope. The way that an entity has come, and the one it means to take.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/math/affine.h"

namespace zoe::scene {

struct TrajectorySample {
  Vec3 position;   // World space, metres.
  Vec3 direction;  // Where its +Z points, on the ground, unit.
};

// A component: one sample every so many fixed steps, the oldest are forgotten.
class Trajectory {
 public:
  // num_samples >= 1, steps_per_sample >= 1.
  Trajectory(int num_samples, int steps_per_sample);

  int num_samples() const { return static_cast<int>(count_); }
  // 0 is the oldest one that is still known.
  const TrajectorySample& operator[](int index) const;
  // Called once a fixed step.
  void step(const Affine& world_from_entity);

  // What comes, written by whoever steers, drawn as it is.
  std::vector<TrajectorySample> future;

 private:
  std::vector<TrajectorySample> ring_;
  std::size_t next_ = 0, count_ = 0;
  int steps_per_sample_ = 1, waited_ = 0;
};

}  // namespace zoe::scene
