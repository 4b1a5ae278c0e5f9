// SPDX-License-Identifier: MIT
// Part of Zoetrope. A layer over the poses of a running character: it sees each pose after its tick and returns the one
// that is displayed. Controllers do not know what hooks do. A hook may also move its character: a simulated body is
// pushed away, falls and lies somewhere, and the controller goes on from there.
#pragma once

#include <optional>
#include <span>

#include "zoe/character/pose.h"
#include "zoe/motion/root.h"

namespace zoe::control {

class PoseHook {
 public:
  virtual ~PoseHook() = default;
  // pose: world space, as ControllerState::pose(). contacts: of ControllerState::contacts(). dt_s: since the call
  // before. The result is valid until the next call. Never allocates after the first call.
  virtual PoseView run(const PoseView& pose, std::span<const float> contacts, double dt_s) noexcept = 0;
  // Before a tick: the body cannot follow an intent now, and the character should stand.
  virtual bool stands() const noexcept { return false; }
  // After run(): where the controller's root belongs; empty: where it is. Each move is returned once.
  virtual std::optional<PlanarRoot> moved_root(const PlanarRoot& /*root*/) noexcept { return std::nullopt; }
};

}  // namespace zoe::control
