// SPDX-License-Identifier: MIT
// Part of Zoetrope. Chains of joints that may be limbs, and what a search for limbs gives.
#pragma once

#include <vector>

#include "anatomy/body.h"

namespace zoe::anatomy {

struct LimbFinding {
  std::vector<Limb> limbs;  // Sides from names, else unknown (kCenter): the facing decides them later.
  bool kinds_by_names = false;
  bool by_flesh = false;   // From the surface of a body without telling names.
  bool contested = false;  // Names and pose disagree on the type of some limb.
};

// Bases of limbs at or below a paired joint: usually the joint itself, several where legs share an anchor (spiders).
std::vector<int> limb_bases(const Body& body, int top);
// From the base to the farthest leaf.
std::vector<int> longest_chain(const Body& body, int base);
// Along the bones from the parent of a joint to its farthest leaf.
double length_below(const Body& body, int joint);

}  // namespace zoe::anatomy
