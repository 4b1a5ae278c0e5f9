// SPDX-License-Identifier: MIT
// Part of Zoetrope. The root of any body's motion, from its analysis.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/root.h"

namespace zoe {

// Position and facing of the body in each frame, model units: extract_root where there are hips, shoulders or a neck.
// Else the first joint's position over the ground, facing +Z. At least one frame.
RootTrajectory find_root(const Motion& motion, const SkeletonAnalysis& body);

// Between frames, constant beyond both ends. The origin where there are none. time_s: from the first frame.
PlanarRoot root_at(const RootTrajectory& trajectory, double time_s);

}  // namespace zoe
