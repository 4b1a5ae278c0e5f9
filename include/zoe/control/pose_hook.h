// SPDX-License-Identifier: MIT
// Part of Zoetrope. A layer over the poses of a running character: it sees each pose after its tick and returns the one
// that is displayed. Controllers do not know what hooks do.
#pragma once

#include <span>

#include "zoe/character/pose.h"

namespace zoe::control {

class PoseHook {
 public:
  virtual ~PoseHook() = default;
  // pose: world space, as ControllerState::pose(). contacts: of ControllerState::contacts(). dt_s: since the call
  // before. The result is valid until the next call. Never allocates after the first call.
  virtual PoseView run(const PoseView& pose, std::span<const float> contacts, double dt_s) noexcept = 0;
};

}  // namespace zoe::control
