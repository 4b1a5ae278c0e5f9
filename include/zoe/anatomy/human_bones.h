// SPDX-License-Identifier: MIT
// Part of Zoetrope. The bones of a person by standard names, from an analysis: what VRM files and VTuber programs need.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/human_bone.h"

namespace zoe::anatomy {

// Empty for bodies that are no bipeds. Bones that the skeleton lacks are missing; a joint has one name at most. Twist
// bones and helpers have none.
std::vector<HumanBone> human_bones(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

}  // namespace zoe::anatomy
