// SPDX-License-Identifier: MIT
// Part of Zoetrope. Holds a body to its intent where its model does not follow it. A model whose data lacks what is
// desired (a step back, a stop) goes on as it is used to, without end. The leash sums up how far the body is behind the
// springs' root, and forgets it slowly. A body that only takes its time, as all do, is never behind by more than about
// a second. Beyond that it is pulled. Its feet slide then.
#pragma once

#include "zoe/control/motion_range.h"
#include "zoe/core/state_archive.h"
#include "zoe/math/vec.h"

namespace zoe::control {

class Leash {
 public:
  void reset() noexcept { behind_ = {}; }
  // One step. Velocities of the springs' root and of the model; speeds of the body. Returns the pull of this step,
  // metres.
  Vec3 pull(Vec3 led_mps, Vec3 own_mps, const MotionRange& body, float dt_s) noexcept;
  void describe(StateArchive& archive) { archive.bits(behind_); }

 private:
  Vec3 behind_;  // Metres.
};

}  // namespace zoe::control
