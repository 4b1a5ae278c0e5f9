// SPDX-License-Identifier: MIT
// Part of Zoetrope. Loose parts of a rig: what swings after the body (hair, ears, tails, capes).
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/character.h"

namespace zoe::sprite {

// A chain of joints from the body outwards. Each turns about its own position.
struct LooseChain {
  std::vector<int> joints;
  Vec3 tip;  // End of the last joint's bone, in its space.
};

// A mesh without joints of its own that hangs on one: a cape that is bound to the chest.
struct Pendant {
  int instance = 0;
  int joint = 0;             // Carries most of it.
  Vec3 attachment, tip;      // Middle of its upper and of its lower end; space of the joint, at rest.
  std::vector<float> loose;  // [vertices of the mesh] 0 at the attachment, 1 at the lower end.
};

struct LooseParts {
  std::vector<LooseChain> chains;
  std::vector<Pendant> pendants;

  bool empty() const { return chains.empty() && pendants.empty(); }
};

// Chains: the tail of the analysis; joints with a name such as hair, ear, cape; and chains of at least two joints on
// the head or the trunk that no limb has and that deform the mesh. Pendants: meshes named cape, cloak and the like.
LooseParts find_loose_parts(const Character& character, const SkeletonAnalysis& body);

}  // namespace zoe::sprite
