// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a person does with props over time: where it walks, and what leads its hips and hands.
#pragma once

#include <array>

#include "synth/track.h"

namespace zoe::synth {

// At one time. All zero: nothing but walking and standing.
struct TaskPose {
  float lean_rad = 0;     // Of the trunk, forward.
  Vec3 hips_offset;       // World, added to where walking has the hips.
  float hips_weight = 0;  // Then the hips are blended to `hips`, world.
  Vec3 hips;
  struct Hand {
    float weight = 0;
    Vec3 palm;  // World.
  };
  float calm_arms = 0;        // 0 to 1: how much arms hang instead of swinging.
  std::array<Hand, 2> hands;  // Left, right.
};

class Task {
 public:
  virtual ~Task() = default;
  virtual const Track& track() const = 0;
  virtual TaskPose at(double time_s) const = 0;
};

}  // namespace zoe::synth
