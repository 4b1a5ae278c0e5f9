// SPDX-License-Identifier: MIT
// Part of Zoetrope. The family of a body, from its limbs, its middle and its mesh.
#pragma once

#include "anatomy/middle.h"
#include "anatomy/scale.h"

namespace zoe::anatomy {

BodyFamily family_of(const Body& body, const std::vector<Limb>& limbs, const Middle& middle, const Extent& extent,
                     Vec3 forward);

}  // namespace zoe::anatomy
