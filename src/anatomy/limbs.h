// SPDX-License-Identifier: MIT
// Part of Zoetrope. Limbs: chains that leave the middle of the body in pairs; their types, and the joints of feet and
// hands.
#pragma once

#include <vector>

#include "anatomy/limb_chains.h"
#include "anatomy/symmetry.h"

namespace zoe::anatomy {

LimbFinding find_limbs(const Body& body, const Symmetry& symmetry);

// The joint of a leg where the foot begins, and of an arm where the hand begins.
int foot_of(const Body& body, const std::vector<int>& leg);
int hand_of(const Body& body, const std::vector<int>& arm);
// The same of every leg or arm, in order. Left and right get joints that mirror each other.
std::vector<int> ends_of(const Body& body, const Symmetry& symmetry, const std::vector<Limb>& limbs, LimbKind kind);

}  // namespace zoe::anatomy
