// SPDX-License-Identifier: MIT
// Part of Zoetrope. Checks whether a character's frame can be displayed: finite numbers, rotations of unit length.
#pragma once

#include <cmath>

#include "zoe/control/character_frame.h"
#include "zoe/math/finite.h"

namespace zoe::control {

constexpr float kUnitTolerance = 1e-2F;  // Of a rotation's squared length.

inline bool is_sound(const CharacterFrame& frame) {
  return is_finite(frame.root.position) && std::isfinite(frame.root.facing_rad) &&
         all_finite(frame.pose.translations) && all_unit(frame.pose.rotations, kUnitTolerance) &&
         all_finite(frame.contacts);
}

}  // namespace zoe::control
