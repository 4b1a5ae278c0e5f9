// SPDX-License-Identifier: MIT
// Part of Zoetrope. The image of every joint in the body's mirror, helpers included.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::anatomy {

// [joints] as MirrorMap::partners: an involution that respects the hierarchy, kNoJoint for joints without an image.
std::vector<int> mirror_partners(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

}  // namespace zoe::anatomy
