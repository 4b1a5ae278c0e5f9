// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a map of joints says about limbs.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/retarget/joint_map.h"

namespace zoe::retarget_detail {

// [limbs of the target] Index of the source's limb that most of its joints, by confidence, are mapped to; -1: none.
std::vector<int> limbs_by_map(const SkeletonAnalysis& source, const SkeletonAnalysis& target, const JointMap& map);

// The source of a target joint, or kNoJoint.
int mapped_source(const JointMap& map, int target);

}  // namespace zoe::retarget_detail
