// SPDX-License-Identifier: MIT
// Part of Zoetrope. A layer over poses that also moves its character: a simulated body is pushed away, falls and lies
// somewhere, and the controller goes on from there. eval::record() and scene::ControlledActor ask it.
#pragma once

#include <optional>

#include "zoe/control/pose_hook.h"
#include "zoe/motion/root.h"

namespace zoe::control {

class SimulatedHook : public PoseHook {
 public:
  // Before a tick: the body cannot follow an intent now, and the character should stand.
  virtual bool stands() const noexcept = 0;
  // After run(): where the controller's root belongs; empty: where it is. Each move is returned once.
  virtual std::optional<PlanarRoot> moved_root(const PlanarRoot& root) noexcept = 0;
};

}  // namespace zoe::control
