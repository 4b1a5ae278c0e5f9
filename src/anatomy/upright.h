// SPDX-License-Identifier: MIT
// Part of Zoetrope. Estimates the up axis, for files that do not state it.
#pragma once

#include <span>

#include "anatomy/body.h"

namespace zoe::anatomy {

struct Upright {
  Vec3 up{0, 1, 0};  // Along an axis.
  Evidence evidence;
};

// Sums for each axis: legs by their names, whether the body stands on its extremities along it, whether its lowest
// point stays at one height through the clips, and stands still while the rest moves. +Y needs the least evidence.
// Needs everything of `body` but its pose.
Upright find_up(const Body& body, std::span<const Motion> clips);

}  // namespace zoe::anatomy
