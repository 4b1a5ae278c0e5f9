// SPDX-License-Identifier: MIT
// Part of Zoetrope. How a body on all fours stands, from a clip.
#pragma once

#include "zoe/anatomy/analysis.h"

namespace zoe::retarget_detail {

// Turns the joints of a reference pose to their mean over the frames in which the body stands: its legs' upper ends are
// as high as in that pose. Joints of a leg: only while its foot is in contact. One frame of a clip is some moment of a
// step, with its left and right legs apart and its tail to one side. Joints without such frames stay.
void average_stance(const Skeleton& skeleton, const SkeletonAnalysis& body, const Motion& clip, Pose& pose);

}  // namespace zoe::retarget_detail
