// SPDX-License-Identifier: MIT
// Part of Zoetrope. The mirror image of every joint, helpers included.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::anatomy {

// [joints] as MirrorMap::partners: an involution that respects the hierarchy, kNoJoint for joints without an image.
std::vector<int> mirror_partners(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

}  // namespace zoe::anatomy
