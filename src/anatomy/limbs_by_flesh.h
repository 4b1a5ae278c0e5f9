// SPDX-License-Identifier: MIT
// Part of Zoetrope. Limbs of a body whose joints have no telling names, from the surface that they move: legs carry the
// body, wings are flat and wide, arms are neither.
#pragma once

#include <optional>

#include "anatomy/limb_chains.h"
#include "anatomy/symmetry.h"

namespace zoe::anatomy {

// Empty where names tell of some limb, or where there is no surface.
std::optional<LimbFinding> limbs_by_flesh(const Body& body, const Symmetry& symmetry);

}  // namespace zoe::anatomy
