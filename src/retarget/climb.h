// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip on uneven ground: where its feet go, and how the body rises and pitches above them.
#pragma once

#include <vector>

#include "retarget/goals.h"
#include "retarget/stands.h"
#include "retarget/terrain.h"

namespace zoe::retarget_detail {

// Of the target, in its model.
struct Climb {
  std::vector<std::vector<Vec3>> goals;  // [legs][frames] of the ankles.
  std::vector<std::vector<Quat>> tilts;  // [legs][frames] of the feet.
  std::vector<Vec3> moves, pivots;       // [frames] of the body; pivots are those of its turns.
  std::vector<Quat> turns;               // [frames] of the body.
};

// Feet rise with the ground, and the body with its hind feet. A body on all fours pitches by the heights of its two
// rows of feet. There is at least one leg.
Climb climb_of(const Terrain& terrain, const ClipPair& clips, const Stands& stands);

}  // namespace zoe::retarget_detail
