// SPDX-License-Identifier: MIT
// Part of Zoetrope. Plays a motion on another skeleton that shares joint names: an animation-only file on its rig. This
// is not retargeting (see retarget): proportions and rest orientations must agree where names do.
#pragma once

#include <vector>

#include "zoe/motion/motion.h"

namespace zoe {

struct RemapReport {
  int num_matched = 0;
  std::vector<int> unmatched_source;  // Animated joints of the source without a target joint of that name.
};

// Joints match by name, first exactly, then without a namespace ("mixamorig:Hips" is "Hips"). A matched joint takes the
// source's model-space rotation and scale relative to its nearest matched ancestor, so that helper joints on either
// side do no harm. Its translation follows the source where it moves or where the source has no rest pose of its own. A
// joint that keeps its rest offset in the source keeps the target's. Other joints rest.
Motion remap_by_name(const Motion& motion, SkeletonPtr target, RemapReport* report = nullptr);

}  // namespace zoe
