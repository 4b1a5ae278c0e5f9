// SPDX-License-Identifier: MIT
// Part of Zoetrope. Swaps left and right of a motion, for any rig.
#pragma once

#include "zoe/anatomy/mirror_map.h"

namespace zoe {

struct MirrorOptions {
  // Where left and right legs differ in length, legs bend until feet are at their mirrored positions.
  bool keep_feet = true;
};

// The mirrored motion on the same skeleton. Mirrored twice it is itself again. `report` may be null.
Result<Motion> mirror(const Motion& motion, const SkeletonAnalysis& analysis, const MirrorOptions& options = {},
                      MirrorReport* report = nullptr);

}  // namespace zoe
