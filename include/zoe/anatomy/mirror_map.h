// SPDX-License-Identifier: MIT
// Part of Zoetrope. Who plays whose part in a mirrored motion, as the analysis found it.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/mirror.h"

namespace zoe {

// For mirror(): left for right in the plane of the body, which is upright and holds its forward direction. Fails where the
// pairs contradict the hierarchy (a joint's partner hangs elsewhere) or there are none.
Result<MirrorMap> mirror_map(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

}  // namespace zoe
