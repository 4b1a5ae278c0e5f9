// SPDX-License-Identifier: MIT
// Part of Zoetrope. Tails on the ground.
#pragma once

#include "retarget/body.h"
#include "retarget/terrain.h"

namespace zoe::retarget_detail {

// Bones of a tail that lead below the ground are turned up until they lie on it, from the body outwards. A tail of a
// body that sits would else hang through the floor.
void lay_tail(Motion& motion, const RetargetBody& body, const Terrain& terrain);

}  // namespace zoe::retarget_detail
