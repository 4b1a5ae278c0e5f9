// SPDX-License-Identifier: MIT
// Part of Zoetrope. The facing of the body along its mirror plane.
#pragma once

#include <span>

#include "anatomy/limbs.h"

namespace zoe::anatomy {

struct Facing {
  Vec3 forward{0, 0, 1};
  Evidence evidence;
};

// Sums the votes of toes, head, sides in names, and the direction of travel.
Facing find_facing(const Body& body, const Symmetry& symmetry, const std::vector<Limb>& limbs,
                   std::span<const Motion> clips);

}  // namespace zoe::anatomy
