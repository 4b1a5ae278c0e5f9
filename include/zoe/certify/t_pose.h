// SPDX-License-Identifier: MIT
// Part of Zoetrope. The same character and clips with a T-pose as rest pose.
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"

namespace zoe::certify {

struct TPosed {
  CharacterPtr character;
  std::vector<Motion> clips;  // On the character's skeleton.
};

// Bipeds: arms point sideways, legs down, the body looks along +Z. Every joint's axes are those of the model in that
// pose, so its rest rotations are identities. Clips and skins look as before. Fails for other families, and where a
// joint is scaled unevenly.
Result<TPosed> with_t_pose(const Character& character, std::span<const Motion> clips, const SkeletonAnalysis& analysis);

}  // namespace zoe::certify
