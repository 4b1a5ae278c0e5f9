// SPDX-License-Identifier: MIT
// Part of Zoetrope. The root of any body's motion, by what the analysis found.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/root.h"

namespace zoe {

// Where the body stands and faces in each frame, model units: extract_root where hips, shoulders or a neck say so. Else
// the first joint's position over the ground, facing +Z. At least one frame.
RootTrajectory find_root(const Motion& motion, const SkeletonAnalysis& body);

// Between frames, held at both ends; the origin where there are none. time_s: from the first frame.
PlanarRoot root_at(const RootTrajectory& trajectory, double time_s);

}  // namespace zoe
