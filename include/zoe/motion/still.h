// SPDX-License-Identifier: MIT
// Part of Zoetrope. A pose as a clip of one frame, for what takes clips.
#pragma once

#include "zoe/motion/frame_span.h"

namespace zoe {

inline Motion make_still(SkeletonPtr skeleton, const PoseView& pose) {
  Motion still = make_motion(std::move(skeleton), "still", 30, 1, !pose.scales.empty());
  copy_pose(pose, frame_span(still, 0));
  return still;
}

}  // namespace zoe
